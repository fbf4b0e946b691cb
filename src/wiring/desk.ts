import type { DeskCases } from '../agent/desk/desk.ts'
import type { ThreadRef } from '../channel/events.ts'
import type { Speaker } from '../channel/port.ts'
import type { Config } from '../config/file.ts'
import type { AskDesk } from '../tools/builtin/desk.ts'

/** The room of the desk as it is configured. On the web a thread is the room. */
export function deskRoom(
  desk: Config['desk'],
  speaker: (thread: ThreadRef) => Speaker,
): () => Promise<ThreadRef | undefined> {
  return async () => {
    if (!desk) return undefined
    const { channel, workspace = 'local' } = desk
    const room = desk.room.replace(/^#/, '')
    if (channel === 'web') return { channel, workspace: 'local', room: 'web', thread: room }
    return speaker({ channel, workspace, room: '', thread: '' }).findRoom(workspace, room)
  }
}

/** How the tool that hands over asks the desk. */
export function askDesk(desk: Pick<DeskCases, 'begin'>): AskDesk {
  return (request, { session, person }) =>
    desk.begin({
      sessionId: session.id,
      personId: person.id,
      reason: 'asked',
      request,
      language: person.language,
    })
}
