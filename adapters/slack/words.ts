/** The adapter's own words; everything else that people read comes through the port. */
export interface Words {
  /** Shown at once, before anything is known of what will be done. */
  readonly thinking: string
  readonly cancel: string
  readonly yes: string
  tooLongToEdit(length: number): string
  /** Said where a modal could not be opened in time. */
  readonly formNotOpened: string
  readonly promptsTitle: string
  /** Shown where a person opens a direct message; at most four. */
  readonly prompts: readonly { readonly title: string; readonly message: string }[]
}

const english: Words = {
  thinking: 'Thinking…',
  cancel: 'Cancel',
  yes: 'Yes',
  tooLongToEdit: (length) =>
    `The text of ${length} characters is too long to edit here. Leave this empty to keep it.`,
  formNotOpened: 'The form could not be opened. Press the button again, or write what should be changed.',
  promptsTitle: 'What can I do for you?',
  prompts: [
    { title: 'What can you do?', message: 'What can you do?' },
    { title: 'Create a ticket', message: 'Create a ticket: the printer on floor 3 is broken' },
    { title: 'Remember something', message: 'Remember that I prefer short answers' },
    { title: 'Remind me', message: 'Remind me tomorrow at 9 to check my open tickets' },
  ],
}

const chinese: Words = {
  thinking: '正在思考…',
  cancel: '取消',
  yes: '是',
  tooLongToEdit: (length) => `原文共 ${length} 个字符，太长了，无法在这里编辑。留空则保持不变。`,
  formNotOpened: '表单没能打开。请再按一次按钮，或直接写下要修改的内容。',
  promptsTitle: '需要我做什么？',
  prompts: [
    { title: '你能做什么？', message: '你能做什么？' },
    { title: '创建工单', message: '创建工单：三楼的打印机坏了' },
    { title: '记住一件事', message: '记住：我喜欢简短的回答' },
    { title: '提醒我', message: '明天早上 9 点提醒我检查未处理的工单' },
  ],
}

/** The words of a language; English where it is not known. */
export function wordsFor(language: string | undefined): Words {
  return language === 'zh' ? chinese : english
}
