import { type Json, objects, text } from './json.ts'
import { type Refusal, refuseMessage } from './limits.ts'
import type { Clickable, Stage } from './people.ts'
import { look, type Room, type Workspace } from './workspace.ts'

/** The addresses that take later answers to interactions: good for five uses. */
export interface Responses {
  /** A new address for something that a person did. */
  issue(user: string, on: Clickable | Room): string
  /** Shows an answer; gives what is wrong with it. */
  take(id: string, body: Json): { readonly status: number; readonly refusal: Refusal } | undefined
}

export function createResponses(workspace: Workspace, applyNotice: Stage['applyNotice']): Responses {
  const issued = new Map<string, { user: string; on: Clickable | Room; uses: number }>()
  return {
    issue(user, on) {
      const id = workspace.id('R')
      issued.set(id, { user, on, uses: 0 })
      return id
    },
    take(id, body) {
      const address = issued.get(id)
      if (!address || address.uses >= 5) {
        return { status: 404, refusal: { error: address ? 'used_url' : 'no_such_url' } }
      }
      address.uses += 1
      const content = { text: text(body.text), ...(body.blocks === undefined ? {} : { blocks: body.blocks }) }
      const refusal = body.delete_original === true ? undefined : refuseMessage(content, 'post')
      if (refusal) return { status: 400, refusal }
      const { on, user } = address
      if (!('room' in on)) {
        applyNotice(user, on, undefined, body, 'response_url')
        return undefined
      }
      if (body.replace_original !== true && body.delete_original !== true) {
        applyNotice(user, on.room, on.threadTs, body, 'response_url')
        return undefined
      }
      // What was clicked may be a copy of an earlier look; what changes is the message itself.
      const original = 'by' in on ? on : (workspace.find(on.room.id, on.ts) ?? on)
      if (body.delete_original === true) original.deleted = true
      else {
        original.text = text(body.text)
        original.blocks = objects(body.blocks)
      }
      if ('history' in original) look(original, 'update', workspace.now())
      return undefined
    },
  }
}
