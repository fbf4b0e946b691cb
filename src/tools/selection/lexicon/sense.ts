/**
 * What people say, and the words that tools for it are described with, the one that it is about first. Ways of saying
 * it are English ones, with commas between them, and Chinese ones, with spaces. `~` stands for a few words between.
 */
export type Sense = readonly [means: string, english: string, chinese: string]
