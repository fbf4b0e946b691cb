import { propertiesOf } from '../arguments/json-schema.ts'
import type { Tool } from '../tool.ts'
import type { ReadRequest } from './request-words.ts'
import { contentWords, englishWords } from './stems.ts'

/** What a tool is described with. */
export interface ToolWords {
  /** Of its name, without its server's. */
  readonly name: ReadonlySet<string>
  readonly server: ReadonlySet<string>
  /** Of its title and of when to use it. */
  readonly text: ReadonlySet<string>
  /** Of its arguments: their names, descriptions and choices. */
  readonly arguments: ReadonlySet<string>
  /** Of when it is not to be used. */
  readonly not: ReadonlySet<string>
  readonly all: ReadonlySet<string>
  /** The first word of its name that is not its server's. */
  readonly verb: string | undefined
}

/** Reads the words of tools, in their simplest form. What is described in Chinese is read as a request in it would be. */
export function createToolWords(read: ReadRequest): (tool: Tool) => ToolWords {
  // A tool never changes, and every request looks at the words of each.
  const seen = new WeakMap<Tool, ToolWords>()
  return (tool) => {
    const before = seen.get(tool)
    if (before) return before
    const words = wordsOf(tool, (text) =>
      han.test(text)
        ? new Set([...read(text)].filter(([, weight]) => weight >= sureMeaning).map(([word]) => word))
        : contentWords(text),
    )
    seen.set(tool, words)
    return words
  }
}

const han = /\p{Script=Han}/u
/** Chinese words of descriptions are taken for their first meanings, and for what sayings mean first of all. */
const sureMeaning = 0.4

function wordsOf(tool: Tool, readText: (text: string) => ReadonlySet<string>): ToolWords {
  const [, server = '', bare = tool.name] = /^mcp__(.+?)__(.+)$/.exec(tool.name) ?? []
  const { use, not } = described(tool)
  const name = plain(bare)
  const words = {
    name: contentWords(name),
    server: contentWords(plain(server)),
    text: readText(`${tool.title('en')} ${use}`),
    arguments: readText(argumentText(tool.parameters).slice(0, longestText)),
    not: readText(not),
  }
  return {
    ...words,
    all: new Set([...words.name, ...words.server, ...words.text, ...words.arguments]),
    verb: englishWords(name).find((word) => !words.server.has(word)),
  }
}

/** A tool in one sentence or two, for comparing meanings. */
export function toolSentence(tool: Tool): string {
  return described(tool).use
}

const longestText = 600
const negative = /\b(?:do not|don['’]t|not) (?:use|to be used|for|when|suited|intended)\b|\binstead\b/i

/** When a tool is to be used and when not; descriptions of other systems say either in a sentence of its own. */
function described(tool: Tool): { readonly use: string; readonly not: string } {
  const own = /^Use when: (.*)\nNot when: (.*)$/m.exec(tool.description)
  if (own) return { use: own[1]!, not: own[2]! }
  const sentences = tool.description.slice(0, 1_500).split(/(?<=[.!?])\s+|\n+/)
  return {
    use: sentences
      .filter((sentence) => !negative.test(sentence))
      .join(' ')
      .slice(0, longestText),
    not: sentences
      .filter((sentence) => negative.test(sentence))
      .join(' ')
      .slice(0, longestText),
  }
}

function plain(name: string): string {
  return name.replaceAll(/[_.-]/g, ' ')
}

/** Names, descriptions and choices of arguments, as far as the schema says them flatly. */
function argumentText(schema: Readonly<Record<string, unknown>>): string {
  return [...propertiesOf(schema)]
    .map(([name, property]) =>
      [
        plain(name),
        typeof property?.description === 'string' ? property.description : '',
        Array.isArray(property?.enum) ? property.enum.join(' ') : '',
      ].join(' '),
    )
    .join(' ')
}
