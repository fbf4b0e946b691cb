import type { ThreadRef } from '../../src/channel/events.ts'
import { ChannelError } from '../../src/channel/failure.ts'
import type { Part, ReplyTarget, Speaker, Surface } from '../../src/channel/port.ts'
import { type DraftBoard, directThreadName, type ThreadReader } from '../../src/channel/view.ts'
import { userName } from './input.ts'
import { threadRef } from './threads.ts'

/** What stands on the board of a thread. */
interface Standing {
  text: string
  status: string | undefined
}

/**
 * The way out to the web chat. It has no messages of its own: committed ones are read from the database by
 * whoever looks, and only what is still being written is left on the draft board.
 */
export function createWebSpeaker(parts: {
  readonly reader: ThreadReader
  readonly drafts: DraftBoard
}): Speaker {
  const { reader, drafts } = parts
  // Text and status come by different ways and are shown together. Only threads being answered are in here.
  const board = new Map<string, Standing>()

  const show = async (thread: ThreadRef, change: Partial<Standing>): Promise<void> => {
    const standing = { text: '', status: undefined, ...board.get(thread.thread), ...change }
    const empty = standing.text === '' && standing.status === undefined
    if (empty) board.delete(thread.thread)
    else board.set(thread.thread, standing)
    const { text, status } = standing
    await drafts.show(thread, empty ? null : { text, ...(status === undefined ? {} : { status }) })
  }

  return {
    showActivity: (target, line) => show(target.thread, { status: line ?? undefined }),
    surface: (target) => createWebSurface(target, drafts, show),
    async postCard(target, card) {
      drafts.changed(target.thread)
      return card.id
    },
    async updateCard(target) {
      drafts.changed(target.thread)
    },
    // Showing something twice is the same as once here, so there is never a message to adopt.
    ownMessages: async () => [],
    async history(thread, limit) {
      const view = await reader.read(thread)
      return (view?.messages ?? [])
        .filter((message) => message.role !== 'note')
        .slice(-limit)
        .map((message) => ({
          id: message.postId ?? message.id,
          author: message.author ?? 'Hermes',
          text: message.text,
          at: message.at,
          own: message.role === 'assistant',
          bot: false,
        }))
    },
    // Whoever gives a name is that person: any name can be written to.
    async findPeople(_workspace, name) {
      const { data } = userName.safeParse(name)
      return data === undefined ? [] : [{ userId: data, name: data }]
    },
    // Other threads of theirs may be read by others, too.
    directThread: async (_workspace, userId) => threadRef(directThreadName(userId)),
    // The web chat has threads only.
    findRoom: async () => undefined,
  }
}

function createWebSurface(
  target: ReplyTarget,
  drafts: DraftBoard,
  show: (thread: ThreadRef, change: Partial<Standing>) => Promise<void>,
): Surface {
  const { thread } = target
  let drafting = false

  const put = async (part: Part): Promise<void> => {
    if (!part.final) {
      drafting = true
      await show(thread, { text: part.text })
      return
    }
    // The final text is a committed message, which viewers read; the draft has served.
    drafts.changed(thread)
    await clear()
  }
  const clear = async (): Promise<void> => {
    // Another reply may be drafting in this thread.
    if (!drafting) return
    drafting = false
    await show(thread, { text: '' })
  }

  return {
    characters: 1_000_000,
    interval: 100,
    async create(part, nonce) {
      await put(part)
      return nonce
    },
    edit: (_messageId, part) => put(part),
    remove: clear,
    async attach(file) {
      throw new ChannelError('invalid', 'The web chat shows every text as a message.', {
        data: { name: file.name },
      })
    },
    close: clear,
  }
}
