import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { noEmbedder } from '../../src/search/embedder.ts'
import { rememberRecent } from '../../src/search/recent.ts'
import { createWords } from '../../src/search/words.ts'
import { findingTools } from '../../src/tools/builtin/finding.ts'
import { memoryTools } from '../../src/tools/builtin/memory.ts'
import { messageTools } from '../../src/tools/builtin/messages.ts'
import { planTools } from '../../src/tools/builtin/plan.ts'
import { proposalTools } from '../../src/tools/builtin/proposals.ts'
import { reminderTools } from '../../src/tools/builtin/reminders.ts'
import { resultTools } from '../../src/tools/builtin/results.ts'
import { ticketTools } from '../../src/tools/builtin/tickets.ts'
import { externalTool } from '../../src/tools/external.ts'
import { createChoosing } from '../../src/tools/selection/choosing.ts'
import { createMeanings } from '../../src/tools/selection/meanings.ts'
import { selectionRules } from '../../src/tools/selection/selection.ts'
import type { Tool } from '../../src/tools/tool.ts'

// None of these tools runs here: only their definitions are chosen from.
const nothing = undefined as never
const file = (name: string, description: string, effect: 'read' | 'write' = 'read'): Tool =>
  externalTool({
    name: `mcp__documents__${name}`,
    title: name,
    server: 'documents',
    description,
    effect,
    idempotent: true,
    timeoutMs: 1_000,
    longestMs: 1_000,
    readyMs: 0,
    parameters: { type: 'object', properties: {} },
    definitionHash: name,
    target: '',
    check: (args) => ({ args, problems: [] }),
    call: async () => ({ content: '' }),
  })
const tools: readonly Tool[] = [
  ...ticketTools({ book: nothing, address: nothing }),
  ...memoryTools(nothing),
  ...reminderTools({ db: nothing, ids: nothing }),
  ...messageTools(nothing),
  ...resultTools({ db: nothing, pageTokens: 1_000 }),
  ...proposalTools(nothing),
  ...planTools(nothing),
  ...findingTools(
    () => [],
    async () => [],
  ),
  file('read_text_file', 'Read the complete contents of a file from the file system as text.'),
  file('read_multiple_files', 'Read the contents of multiple files simultaneously.'),
  file('write_file', 'Create a new file or completely overwrite an existing file with new content.', 'write'),
  file('edit_file', 'Make line-based edits to a text file.', 'write'),
  file('create_directory', 'Create a new directory or ensure a directory exists.', 'write'),
  file('list_directory', 'Get a detailed listing of all files and directories in a specified path.'),
  file('directory_tree', 'Get a recursive tree view of files and directories as a JSON structure.'),
  file('move_file', 'Move or rename files and directories.', 'write'),
  file('search_files', 'Recursively search for files and directories matching a pattern.'),
  file('get_file_info', 'Retrieve detailed metadata about a file or directory.'),
]

const choosing = createChoosing({
  words: createWords(),
  meanings: createMeanings({ embedder: rememberRecent(noEmbedder), clock: systemClock }),
})
const offered = async (now: string, used: readonly string[] = []) => {
  const { tools: chosen } = await choosing.select(tools, { now, used: new Set(used) }, selectionRules)
  return chosen.map((tool) => tool.name)
}

describe('the choice of tools', () => {
  it.each([
    "Summarise last week's project meeting notes, send the conclusion to the owner, and remind me next week to add the follow-up plan",
    '总结上周项目会议的纪要，把结论发给负责人，下周提醒我补充后续计划',
  ])('offers everything that a request with three parts needs: %s', async (query) => {
    const names = await offered(query)
    expect(names).toEqual(
      expect.arrayContaining([
        'mcp__documents__search_files',
        'mcp__documents__read_text_file',
        'send_message',
        'set_reminder',
      ]),
    )
    expect(names.length).toBeLessThanOrEqual(11)
  })

  it.each([
    ['create a ticket: the printer on floor 3 is broken', 'create_ticket'],
    ['帮我建一个工单：三楼打印机坏了', 'create_ticket'],
    ['close ticket T-1042', 'update_ticket'],
    ['把 T-1042 的状态改成已解决', 'update_ticket'],
    ['which tickets are open?', 'list_tickets'],
    ['remember that I prefer short answers', 'remember'],
    ['记住我喜欢简短的回答', 'remember'],
    ['forget my address', 'forget'],
    ['忘掉我的地址', 'forget'],
    ['remind me tomorrow at 9 to call Li Wei', 'set_reminder'],
    ['明天九点提醒我给李伟打电话', 'set_reminder'],
    ['tell Li Wei that the meeting is moved', 'send_message'],
    ['告诉李伟会议改期了', 'send_message'],
    ['what does the handbook document say about holidays?', 'mcp__documents__search_files'],
  ])('offers for "%s" the tool %s', async (query, wanted) => {
    expect(await offered(query)).toContain(wanted)
  })

  it('keeps offering what the task has used, in the same order', async () => {
    const names = await offered('yes, do that', ['create_ticket', 'mcp__documents__write_file'])
    expect(names).toEqual(
      expect.arrayContaining(['create_ticket', 'mcp__documents__write_file', 'find_tools']),
    )
    const order = names.map((name) => tools.findIndex((tool) => tool.name === name))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  it('never offers more than twenty, whatever was used', async () => {
    const all = await offered(
      'list everything',
      tools.map((tool) => tool.name),
    )
    expect(all.length).toBeLessThanOrEqual(20)
  })
})
