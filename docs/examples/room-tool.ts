import { z } from 'zod'
import { defineTool } from '../../src/tools/definition.ts'

export const bookRoom = (rooms: { book(room: string, at: string, key: string): Promise<void> }) =>
  defineTool({
    name: 'book_room',
    title: { en: 'Book room', zh: '预订会议室' },
    useWhen: 'somebody wants a meeting room for a time that they name.',
    notWhen: 'the room or the time is not clear: ask for it.',
    returns: 'the room and the time that were booked.',
    failsWith: 'a sentence, where the room is taken.',
    effect: 'write', // waits for Confirm; `read` looks only, `own` touches the speaker's own data
    idempotent: true, // since the call's id is the booking's key
    activity: { en: 'Booking the room', zh: '正在预订会议室' },
    risk: { en: 'The room is then taken for everybody.', zh: '会议室将对所有人显示为已占用。' },
    input: z.object({ room: z.string().describe('For example Ada'), at: z.iso.datetime({ offset: true }) }),
    async run({ room, at }, { callId }) {
      await rooms.book(room, at, callId)
      return { content: { room, at }, told: `Room ${room} booked` }
    },
  })
