import type { ChannelName } from '../../src/channel/events.ts'
import type { TestApp } from '../support/app.ts'

/** A message of Hermes, as people saw it when they looked. */
export interface Seen {
  readonly id: string
  readonly isCard: boolean
  /** Everything that can be read in it, without the labels of buttons. */
  readonly text: string
  readonly buttons: readonly string[]
  /** What its list offers. */
  readonly options: readonly string[]
  /** Every text that it showed so far, the first first. */
  readonly looks: readonly string[]
  /** When it was there first, by the machine's clock. */
  readonly at: number
}

/** Someone who talks with Hermes. */
export interface Guest {
  readonly name: string
}

/** Something that a person said. */
export interface Post {
  readonly text: string
}

/** A text file that a person sends along. */
export interface TextFile {
  readonly name: string
  readonly content: string
}

/** A form in front of a person. */
export interface Form {
  /** Labels with the values that stand in the fields. */
  readonly fields: Readonly<Record<string, string>>
  /** What is said to be wrong; empty at first. */
  readonly complaint: string
  /** Sends it: what comes back is the form again, or what the person is told. */
  submit(values: Readonly<Record<string, string>>): Promise<Form | string>
}

/** What one person alone is told, as they saw it. */
export interface Told {
  readonly text: string
  /** Presses a button below it; gives what the person is told then. */
  press(label: string): Promise<string>
}

/** One conversation on the platform, from the side of people. Whoever is not named is its owner. */
export interface Talk {
  readonly owner: Guest
  /** The post that it began with. */
  readonly first: Post
  /** Says something here, without mentioning Hermes. */
  say(text: string, by?: Guest, file?: TextFile): Promise<Post>
  edit(post: Post, text: string): Promise<void>
  remove(post: Post): Promise<void>
  /** The messages of Hermes here, in order. */
  seen(): Promise<readonly Seen[]>
  /** When signs of life were shown here. */
  signs(): readonly number[]
  /** Messages of Hermes that others see, made since the talk began, in other places. */
  elsewhere(): readonly string[]
  /** Presses a button as it was when looked at, also one that is gone. Gives what the person is told. */
  press(on: Seen, label: string, by?: Guest): Promise<string>
  /** Presses a button with another value in it, as a forger would. */
  forge(on: Seen, label: string, value: string, by?: Guest): Promise<string>
  /** Chooses an option of a card's list. Gives what the person is told. */
  choose(on: Seen, option: string, by?: Guest): Promise<string>
  /** Presses Edit, or another button, and gets as far as the form with these fields. */
  openForm(on: Seen, fields: readonly string[], label?: string): Promise<Form>
  /** Everything that the platform told the app here is told again. */
  redeliver(): Promise<void>
  /** What this person alone was told here so far. */
  toldTo(person: Guest): readonly string[]
  /** Files that Hermes sent here, in order. */
  files(): Promise<readonly { readonly name: string; readonly content: string }[]>
  /** Whom messages of Hermes here notified, besides the owner. */
  pings(): readonly string[]
  /** The longest message that the platform takes. */
  readonly limit: number
}

/** A platform with Hermes on it. */
export interface Driver {
  readonly channel: ChannelName
  /** Someone new; `alsoCalled` is another name of theirs, where the platform knows several. */
  guest(name: string, more?: { readonly timeZone?: string; readonly alsoCalled?: string }): Guest
  /** Ways to begin a conversation, by what they are called. */
  readonly beginnings: Readonly<Record<string, (by: Guest, text: string) => Promise<Talk>>>
  /** The way that others can join. */
  readonly shared: (by: Guest, text: string) => Promise<Talk>
  /** The name of a room where others decide, as settings name it, and that room as this person sees it. */
  readonly room: string
  inRoom(by: Guest): Promise<Pick<Talk, 'seen' | 'press'>>
  /** What Hermes wrote to a person directly, outside of any conversation that they began. */
  received(person: Guest): Promise<readonly string[]>
  /** The desk, where people take over. */
  readonly desk: {
    /** The cards in its room, oldest first. */
    cards(): Promise<readonly Seen[]>
    /** The conversation of a card, as one of its people sees it. */
    talk(card: Seen, by: Guest): Promise<Talk>
  }
  /** A slash command, in a conversation or in one of its own; gives what the person is told. */
  command(by: Guest, text: string, within?: Talk): Promise<string>
  /** The same, with the buttons below what they are told. */
  told(by: Guest, text: string, within?: Talk): Promise<Told>
  /** Files that Hermes sent to a person directly. */
  files(person: Guest): readonly { readonly name: string; readonly content: string }[]
  /** The app is another one now. */
  moved(app: TestApp): Promise<void>
  /** What the platform's page of the app shows a person, where it has one. */
  home?(person: Guest): Promise<string>
  /** Presses the platform's own stop button of what is being written there, where it has one. */
  stopWriting?(talk: Talk): Promise<void>
  /** What only platforms with others around have. */
  readonly crowd?: {
    /** A conversation among people that Hermes was not asked into. */
    chatter(by: Guest, text: string): Promise<Talk>
    /** Mentions Hermes in such a conversation. */
    ask(talk: Talk, text: string, by: Guest): Promise<void>
    /** The next time, the platform does not tell what was said in a conversation. */
    forgetful(): void
    /** Adds a mention of Hermes to a post. */
    addMention(talk: Talk, post: Post): Promise<Talk>
    /** Another bot mentions Hermes there. */
    bot(talk: Talk, text: string): Promise<void>
    /** A mention of everyone, written as the platform writes it. */
    readonly massPings: string
    /** What is shown in answer to the next click takes its time. */
    slowClick(ms: number): void
    /** The next attempts to send a message fail. */
    trouble(kind: 'rate-limited' | 'server-error'): void
  }
  stop(): Promise<void>
}
