import { type Method, memberRoom, Refused } from './api.ts'
import { addBotMessage, threadOf } from './chat.ts'
import { type Json, objects, string, text } from './json.ts'
import { look, type StoredFile, type Workspace } from './workspace.ts'

/** The file as events and answers carry it. */
export function fileJson(file: StoredFile, origin: string, workspace: Workspace): Json {
  const url = `${origin}/files-pri/${workspace.teamId}-${file.id}/${encodeURIComponent(file.name)}`
  return {
    id: file.id,
    created: Math.floor(workspace.now() / 1000),
    name: file.name,
    title: file.name,
    mimetype: file.mimetype,
    filetype: file.name.split('.').at(-1) ?? 'binary',
    pretty_type: 'File',
    user: file.by,
    editable: false,
    size: file.content.length,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: true,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: url,
    url_private_download: url,
    permalink: `https://olympus.slack.com/files/${file.by}/${file.id}`,
    channels: [],
    groups: [],
    file_access: 'visible',
  }
}

const getUploadUrl: Method = (args, { workspace, origin }) => {
  const name = string(args.filename)
  const length = Number(args.length)
  if (name === undefined || !Number.isInteger(length) || length < 1) throw new Refused('invalid_arguments')
  const id = workspace.id('F')
  const file = { id, name, mimetype: 'text/plain', content: Buffer.alloc(0), by: workspace.bot.id }
  workspace.files.set(id, file)
  return { upload_url: `${origin()}/upload/v1/${id}`, file_id: id }
}

/** Takes the bytes that were sent to an upload address. */
export function storeUpload(workspace: Workspace, id: string, content: Buffer): boolean {
  const file = workspace.files.get(id)
  if (!file) return false
  workspace.files.set(id, { ...file, content })
  return true
}

const completeUpload: Method = (args, context) => {
  const { workspace, news } = context
  const files = objects(args.files).map((item) => {
    const file = workspace.files.get(text(item.id))
    if (!file || file.content.length === 0) throw new Refused('file_not_found')
    return file
  })
  if (files.length === 0) throw new Refused('invalid_arguments')
  // The answer names the files only; the message that shows them has to be looked for.
  const answer = { files: files.map((file) => ({ id: file.id, title: file.name })) }
  if (args.channel_id === undefined) return answer
  const room = memberRoom(args, context, 'channel_id')
  const message = addBotMessage(context, room, threadOf(args, room, context), {
    text: text(args.initial_comment),
    blocks: objects(args.blocks),
  })
  message.files = files
  look(message, 'post', workspace.now())
  news.posted(message)
  return answer
}

/** The methods of files. */
export const fileMethods: Readonly<Record<string, Method>> = {
  'files.getUploadURLExternal': getUploadUrl,
  'files.completeUploadExternal': completeUpload,
}
