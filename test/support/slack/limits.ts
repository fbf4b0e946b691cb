import { type Json, object, objects, string, text } from './json.ts'

// The limits of docs.slack.dev/reference/block-kit and the chat methods. Lengths are UTF-16 units, the
// strictest reading of "characters".

/** Why Slack refuses a request. */
export interface Refusal {
  readonly error: string
  readonly messages?: readonly string[]
}

const maxText = 40_000
const maxUpdatedText = 4_000
/** Markdown characters of one message, and of one streaming call. */
export const maxMarkdown = 12_000
const maxBlocksTotal = 13_200

/** Checks what is to be shown in a message. */
export function refuseMessage(
  content: { readonly text: string; readonly blocks?: unknown; readonly markdown?: string },
  how: 'post' | 'update',
): Refusal | undefined {
  if (content.markdown !== undefined) {
    if (content.text !== '' || content.blocks !== undefined) return { error: 'markdown_text_conflict' }
    if (content.markdown.trim() === '') return { error: 'no_text' }
    return content.markdown.length > maxMarkdown ? { error: 'msg_too_long' } : undefined
  }
  if (content.text.length > (how === 'post' ? maxText : maxUpdatedText)) return { error: 'msg_too_long' }
  if (content.blocks === undefined) return content.text.trim() === '' ? { error: 'no_text' } : undefined
  return refuseBlocks(content.blocks, 'message')
}

/** Checks the blocks of a message (at most 50) or a view (at most 100). */
export function refuseBlocks(value: unknown, where: 'message' | 'view' | 'home'): Refusal | undefined {
  if (!Array.isArray(value)) return { error: 'invalid_blocks_format' }
  const wrong: string[] = []
  const blocks = objects(value)
  const most = where === 'message' ? 50 : 100
  if (blocks.length > most) wrong.push(`[ERROR] no more than ${most} items allowed [json-pointer:/blocks]`)
  const ids = new Set<string>()
  let markdown = 0
  let tables = 0
  blocks.forEach((block, index) => {
    const at = `/blocks/${index}`
    const complain = (what: string, path = '') => wrong.push(`[ERROR] ${what} [json-pointer:${at}${path}]`)
    const id = string(block.block_id)
    if (id !== undefined) {
      if (id.length > 255) complain('must be less than 256 characters', '/block_id')
      if (ids.has(id)) complain('`block_id` already exists', '/block_id')
      ids.add(id)
    }
    if (block.type === 'markdown') markdown += text(block.text).length
    if (block.type === 'table') tables += 1
    checkBlock(block, where, complain)
  })
  if (markdown > maxMarkdown) wrong.push('[ERROR] markdown must be less than 12001 characters in all')
  if (tables > 1) wrong.push('[ERROR] only one table allowed')
  if (wrong.length > 0) return { error: 'invalid_blocks', messages: wrong }
  if (where === 'message' && textLength(blocks) > maxBlocksTotal) return { error: 'msg_blocks_too_long' }
  return undefined
}

type Complain = (what: string, path?: string) => void

function checkBlock(block: Json, where: 'message' | 'view' | 'home', complain: Complain): void {
  switch (block.type) {
    case 'section': {
      const fields = block.fields === undefined ? [] : objects(block.fields)
      if (block.text === undefined && fields.length === 0) complain('missing required field: text')
      if (block.text !== undefined) checkText(block.text, 3_000, complain, '/text')
      if (fields.length > 10) complain('no more than 10 items allowed', '/fields')
      for (const field of fields) checkText(field, 2_000, complain, '/fields')
      if (block.accessory !== undefined) checkElement(object(block.accessory), complain, '/accessory')
      return
    }
    case 'actions':
      checkElements(block, 25, complain)
      return
    case 'context_actions':
      if (where !== 'message') complain('unsupported type: context_actions')
      checkElements(block, 5, complain)
      return
    case 'header':
      if (object(block.text).type !== 'plain_text') complain('must be a plain_text object', '/text')
      checkText(block.text, 150, complain, '/text')
      return
    case 'context': {
      const elements = objects(block.elements)
      if (elements.length < 1 || elements.length > 10) complain('must have 1 to 10 items', '/elements')
      for (const element of elements) {
        if (element.type !== 'image') checkText(element, 3_000, complain, '/elements')
      }
      return
    }
    case 'markdown':
      if (where !== 'message') complain('unsupported type: markdown')
      if (text(block.text) === '') complain('must be more than 0 characters', '/text')
      if (text(block.text).length > maxMarkdown) complain('must be less than 12001 characters', '/text')
      return
    case 'input': {
      checkText(block.label, 2_000, complain, '/label')
      if (object(block.label).type !== 'plain_text') complain('must be a plain_text object', '/label')
      if (block.hint !== undefined) checkText(block.hint, 2_000, complain, '/hint')
      checkElement(object(block.element), complain, '/element')
      return
    }
    case 'image':
      if (text(block.alt_text).length > 2_000) complain('must be less than 2001 characters', '/alt_text')
      return
    case 'table': {
      const rows = Array.isArray(block.rows) ? block.rows : []
      if (rows.length < 1 || rows.length > 100) complain('must have 1 to 100 rows', '/rows')
      for (const row of rows) {
        if (!Array.isArray(row) || row.length < 1 || row.length > 20) complain('1 to 20 cells', '/rows')
      }
      return
    }
    case 'divider':
    case 'rich_text':
    case 'task_card':
    case 'plan':
    case 'alert':
      return
    default:
      complain(`unsupported type: ${String(block.type)}`)
  }
}

function checkElements(block: Json, most: number, complain: Complain): void {
  const elements = objects(block.elements)
  if (elements.length < 1) complain('must provide at least 1 item', '/elements')
  if (elements.length > most) complain(`no more than ${most} items allowed`, '/elements')
  const ids = new Set<string>()
  elements.forEach((element, index) => {
    checkElement(element, complain, `/elements/${index}`)
    const id = string(element.action_id)
    if (id !== undefined && ids.has(id))
      complain('`action_id` already exists', `/elements/${index}/action_id`)
    if (id !== undefined) ids.add(id)
  })
}

function checkElement(element: Json, complain: Complain, at: string): void {
  if (text(element.action_id).length > 255) complain('must be less than 256 characters', `${at}/action_id`)
  if (element.placeholder !== undefined) checkText(element.placeholder, 150, complain, `${at}/placeholder`)
  switch (element.type) {
    case 'button':
      checkText(element.text, 75, complain, `${at}/text`)
      if (object(element.text).type !== 'plain_text') complain('must be a plain_text object', `${at}/text`)
      if (text(element.value).length > 2_000) complain('must be less than 2001 characters', `${at}/value`)
      if (text(element.url).length > 3_000) complain('must be less than 3001 characters', `${at}/url`)
      if (element.style !== undefined && element.style !== 'primary' && element.style !== 'danger') {
        complain('must be one of primary, danger', `${at}/style`)
      }
      return
    case 'feedback_buttons':
      for (const name of ['positive_button', 'negative_button']) {
        const button = object(element[name])
        checkText(button.text, 75, complain, `${at}/${name}/text`)
        if (text(button.value).length > 2_000) complain('must be less than 2001 characters', `${at}/${name}`)
      }
      return
    case 'static_select':
    case 'multi_static_select':
    case 'radio_buttons':
    case 'checkboxes':
    case 'overflow': {
      const most = element.type === 'overflow' ? 5 : /select/.test(element.type) ? 100 : 10
      checkOptions(element, most, complain, at)
      return
    }
    case 'plain_text_input':
      if (typeof element.max_length === 'number' && (element.max_length < 1 || element.max_length > 3_000)) {
        complain('must be between 1 and 3000', `${at}/max_length`)
      }
      if (text(element.initial_value).length > 3_000)
        complain('must be less than 3001', `${at}/initial_value`)
      return
    case 'number_input':
      if (typeof element.is_decimal_allowed !== 'boolean') complain('missing is_decimal_allowed', at)
      return
    case 'icon_button':
    case 'email_text_input':
    case 'url_text_input':
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
    case 'users_select':
    case 'conversations_select':
    case 'image':
      return
    default:
      complain(`unsupported type: ${String(element.type)}`, at)
  }
}

function checkOptions(element: Json, most: number, complain: Complain, at: string): void {
  const options = objects(element.options)
  if (options.length < 1 || options.length > most) complain(`must have 1 to ${most} options`, `${at}/options`)
  const values = new Set<string>()
  for (const option of options) {
    checkText(option.text, 75, complain, `${at}/options`)
    if (text(option.value) === '' || text(option.value).length > 150) {
      complain('value must be 1 to 150 characters', `${at}/options`)
    }
    values.add(text(option.value))
  }
  const chosen = [
    ...(element.initial_option === undefined ? [] : [object(element.initial_option)]),
    ...objects(element.initial_options),
  ]
  for (const option of chosen) {
    if (!values.has(text(option.value))) complain('initial option is not one of the options', at)
  }
}

function checkText(value: unknown, most: number, complain: Complain, at: string): void {
  const { type, text: content } = object(value)
  if (type !== 'plain_text' && type !== 'mrkdwn') complain('must be a text object', at)
  const length = text(content).length
  if (length < 1) complain('must be more than 0 characters', `${at}/text`)
  if (length > most) complain(`must be less than ${most + 1} characters`, `${at}/text`)
}

/** Checks a modal or a home view. */
export function refuseView(value: unknown): Refusal | undefined {
  const view = object(value)
  const wrong: string[] = []
  if (view.type !== 'modal' && view.type !== 'home') return { error: 'invalid_arguments' }
  if (view.type === 'modal') {
    for (const name of ['title', 'submit', 'close']) {
      if (view[name] === undefined && name !== 'title') continue
      const length = text(object(view[name]).text).length
      if (length < 1 || length > 24)
        wrong.push(`[ERROR] must be 1 to 24 characters [json-pointer:/view/${name}]`)
    }
    const asks = objects(view.blocks).some((block) => block.type === 'input')
    if (asks && view.submit === undefined) wrong.push('[ERROR] missing required field: submit')
  }
  if (text(view.private_metadata).length > 3_000) wrong.push('[ERROR] private_metadata is too long')
  if (text(view.callback_id).length > 255) wrong.push('[ERROR] callback_id is too long')
  if (wrong.length > 0) return { error: 'invalid_arguments', messages: wrong }
  const blocks = refuseBlocks(view.blocks, view.type === 'home' ? 'home' : 'view')
  return blocks && { error: 'invalid_arguments', messages: blocks.messages ?? [blocks.error] }
}

/** Every text in blocks, in order: what people can read of them. */
export function readableTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(readableTexts)
  if (value === null || typeof value !== 'object') return []
  const found: string[] = []
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') {
      if (['text', 'title', 'name', 'alt_text', 'markdown'].includes(key)) found.push(item)
    } else if (key !== 'options' && key !== 'confirm') {
      found.push(...readableTexts(item))
    }
  }
  return found
}

function textLength(blocks: readonly Json[]): number {
  return readableTexts(blocks).reduce((sum, item) => sum + item.length, 0)
}
