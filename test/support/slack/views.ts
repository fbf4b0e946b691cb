import { type Method, orRefuse, Refused } from './api.ts'
import { type Json, object, string, text } from './json.ts'
import { refuseView } from './limits.ts'
import type { OpenView, Workspace } from './workspace.ts'

/** The view as payloads and answers carry it. */
export function viewJson(open: OpenView, workspace: Workspace, state: Json = { values: {} }): Json {
  return {
    id: open.id,
    team_id: workspace.teamId,
    type: open.view.type,
    blocks: open.view.blocks,
    private_metadata: text(open.view.private_metadata),
    callback_id: text(open.view.callback_id),
    title: open.view.title ?? null,
    close: open.view.close ?? null,
    submit: open.view.submit ?? null,
    state,
    hash: open.hash,
    clear_on_close: false,
    notify_on_close: open.view.notify_on_close === true,
    previous_view_id: null,
    root_view_id: open.rootId,
    app_id: workspace.appId,
    external_id: text(open.view.external_id),
    app_installed_team_id: workspace.teamId,
    bot_id: workspace.bot.botId,
  }
}

/** Puts a modal in front of a person. */
export function showView(workspace: Workspace, user: string, view: Json): OpenView {
  const id = workspace.id('V')
  const stack = workspace.modals.get(user) ?? []
  const open: OpenView = {
    id,
    user,
    rootId: stack[0]?.id ?? id,
    hash: `${workspace.ts()}.${id}`,
    view,
    errors: {},
  }
  workspace.modals.set(user, [...stack, open])
  return open
}

const open: Method = (args, context) => {
  const { workspace, triggers } = context
  const view = object(args.view)
  orRefuse(refuseView(view))
  const used = triggers.use(text(args.trigger_id))
  if ('error' in used) throw new Refused(used)
  return { view: viewJson(showView(workspace, used.user, view), workspace) }
}

const update: Method = (args, { workspace }) => {
  const view = object(args.view)
  orRefuse(refuseView(view))
  const id = string(args.view_id)
  const externalId = string(args.external_id)
  const known = [...workspace.modals.values()]
    .flat()
    .find((item) => (id === undefined ? text(item.view.external_id) === externalId : item.id === id))
  if (!known) throw new Refused('not_found')
  if (args.hash !== undefined && args.hash !== known.hash) throw new Refused('hash_conflict')
  known.view = view
  known.hash = `${workspace.ts()}.${known.id}`
  known.errors = {}
  return { view: viewJson(known, workspace) }
}

const publish: Method = (args, { workspace }) => {
  const view = object(args.view)
  orRefuse(refuseView(view))
  if (view.type !== 'home') throw new Refused('invalid_arguments')
  const user = text(args.user_id)
  if (!workspace.members.has(user)) throw new Refused('user_not_found')
  workspace.homes.set(user, view)
  return { view: { ...view, id: workspace.id('V'), hash: workspace.ts() } }
}

/** The methods of modals and home tabs. */
export const viewMethods: Readonly<Record<string, Method>> = {
  'views.open': open,
  'views.update': update,
  'views.publish': publish,
}
