import { ticketValues } from '../../base/ticket-words.ts'
import type { Language } from '../../base/words.ts'

const en = {
  standIn:
    'A word first: no language model is set up here, so a rule-based stand-in answers. It follows fixed patterns; say “help” to see which.',
  help: `I am the rule-based stand-in, so I understand plain requests of these kinds:

- **Tickets**: “Create a ticket: the printer on floor 3 is broken, high priority”, “show T-1001”, “list open tickets”, “set T-1001 to urgent”, “comment on T-1001: …”, “close T-1001”
- **Memory**: “Remember that I prefer short answers”, “What do you know about me?”, “Forget my address”
- **Reminders**: “Remind me tomorrow at 9 to call Ann”, “list my reminders”, “cancel the reminder about Ann”
- **Documents**: “Summarise last week's project meeting notes”, “What does the handbook say about backups?”
- **Messages**: “Send Li Wei a message: the printer works again”
- **Several at once**: “Summarise last week's project meeting notes, send the conclusion to the owner, and remind me next week to add the follow-up plan”

Nothing is changed for others before you press Confirm.`,
  hello: (name: string | undefined) =>
    `Hello${name ? ` ${name}` : ''}. What can I do for you? Say “help” for examples.`,
  thanks: 'You are welcome.',
  bye: 'Goodbye.',
  fine: 'All well here, thank you. What can I do for you?',
  whoAmI:
    'I am Hermes, your team’s chat agent. Right now I run without a language model: fixed rules answer in its place. Say “help” to see what they can do.',
  acknowledged: 'All right.',
  today: (day: string) => `Today is ${day}.`,
  notUnderstood:
    'I did not understand that; as a rule-based stand-in I only know some kinds of requests. I can make and list tickets, remember and recall facts, set reminders, search and summarise documents, and send messages. Say “help” for examples.',
  problem: (text: string) =>
    `That sounds like a problem. If you want a ticket for it, say: “create a ticket: ${text}”.`,
  cannotHere: (what: string) => `I can't do that here: ${what} is not available.`,
  abilities: {
    tickets: 'the ticket list',
    memory: 'the memory',
    reminders: 'setting reminders',
    documents: 'searching documents',
    messages: 'sending messages',
    proposals: 'withdrawing a proposal',
    undoing: 'taking back what was done',
  },
  undo: {
    name: 'Taking it back',
    done: 'I took that back.',
    nothing: 'There is nothing here that I could take back.',
  },
  confirm: (count: number): string =>
    count === 1 ? 'Please check the card and confirm it.' : 'Please check the cards and confirm them.',
  whichOf: (names: readonly string[]) => `Which one do you mean: ${names.join(', ')}?`,
  confirmByCard: 'Please press Confirm on the card; a written word does not count.',
  nothingToConfirm: 'Nothing waits for a confirmation here.',
  outcome: {
    waiting: (name: string) => `${name} waits for your confirmation; it is not done yet.`,
    running: (name: string) => `${name} is still on its way.`,
    cancelled: (name: string) => `${name}: you cancelled it, so it was not done.`,
    expired: (name: string) => `${name}: nobody confirmed it in time, so it was not done.`,
    withdrawn: (name: string) => `${name} was withdrawn; it was not done.`,
    failed: (name: string, why: string) => `${name} failed: ${why}`,
    refused: (name: string, why: string) => `${name} was not done. ${why}`,
    unknown: (name: string, why: string) => `${name}: it is not known whether it was done. ${why}`,
  },
  ticket: {
    name: (title: string) => `The ticket “${title}”`,
    changeName: (number: string) => `The change to ${number}`,
    commentName: (number: string) => `The comment on ${number}`,
    created: (number: string, title: string) => `Ticket **${number}** is created: ${title}.`,
    updated: (number: string) => `**${number}** is updated.`,
    commented: (number: string) => `The comment is on **${number}**.`,
    askTitle: 'What should the ticket be about?',
    askNumber: 'Which ticket? Tell me its number, for example T-1001.',
    askChange: (number: string) =>
      `What should change on ${number}? I can set its status, priority, assignee, title or due date.`,
    askComment: (number: string) => `What should the comment on ${number} say?`,
    none: 'There are no such tickets.',
    total: (shown: number, total: number) =>
      total > shown
        ? `These are the newest ${shown} of ${total} tickets:`
        : `There ${total === 1 ? 'is 1 ticket' : `are ${total} tickets`}:`,
    comments: 'Comments',
    changes: 'Changes',
    notFound: (why: string) => `I could not get the ticket. ${why}`,
    fields: {
      status: 'status',
      priority: 'priority',
      assignee: 'assignee',
      due: 'due',
      labels: 'labels',
      created: 'created',
    } as Readonly<Record<string, string>>,
    values: {} as Readonly<Record<string, string>>,
  },
  memory: {
    name: 'That',
    noted: (text: string) => `Noted: ${text}`,
    replaced: (text: string) => `It replaces: ${text}`,
    known: 'I knew that already.',
    all: 'This is what I remember of you:',
    some: 'I remember:',
    none: 'I remember nothing about that.',
    noneAtAll: 'I do not remember anything of you yet. Tell me with “remember that …”.',
    forgotten: (texts: readonly string[]) => `Forgotten: ${texts.join('; ')}`,
    nothingToForget: 'I remember nothing of that kind, so there is nothing to forget.',
    askWhich: (list: string) =>
      `Several things fit:\n\n${list}\n\nWhich ones shall I forget? Say “all” or the numbers.`,
    askForget: 'What shall I forget?',
    askRemember: 'What shall I remember?',
    askRight: 'What is right instead?',
    corrected: (text: string) => `Corrected: ${text}`,
  },
  reminder: {
    name: (text: string) => `The reminder “${text}”`,
    set: (text: string, at: string) => `I will remind you ${at}: ${text}`,
    repeats: { daily: 'every day', weekdays: 'every weekday', weekly: 'every week', monthly: 'every month' },
    askText: 'What shall I remind you of?',
    askWhen: 'When shall I remind you?',
    askWhich: (list: string) => `Which reminder shall I cancel?\n\n${list}`,
    all: 'Your reminders:',
    none: 'You have no open reminders.',
    noSuch: (list: string) => `None of your reminders fits.\n\n${list}`,
    cancelled: (text: string) => `The reminder is cancelled: ${text}`,
  },
  message: {
    name: (to: string) => `The message to ${to}`,
    sent: (to: string) => `The message to ${to} is sent.`,
    askTo: 'To whom shall I send it?',
    askText: (to: string) => `What shall I write to ${to}?`,
    nothingToSend: 'There is nothing to send: I found no text for it.',
    noOwner: 'The notes do not say who the owner is, so I did not send anything. Tell me whom to send it to.',
  },
  documents: {
    none: (what: string) => `I looked through the documents for ${what} and found nothing.`,
    noneInPeriod: (from: string, to: string, what: string) =>
      `I looked through the documents for ${what} from ${from} to ${to} and found none.`,
    notes: 'meeting notes',
    files: 'These documents are there:',
    noFiles: 'There are no documents here that I can read.',
    failed: (why: string) => `I could not read the documents. ${why}`,
    owner: 'owner',
    decisions: 'Decisions',
    conclusion: 'Conclusion',
    open: 'Open points',
    says: (name: string) => `**${name}** says:`,
    askWhat: 'What shall I look for?',
    summary: 'In short:',
    noText:
      'There is no text to summarise. Attach a file, name a document, or put the text behind “summarise:”.',
    conclusionOf: (title: string, day: string) => `Conclusion of “${title}”${day ? ` (${day})` : ''}:`,
    unknownAnswer: (query: string) =>
      `I found nothing about “${query}” in what I remember and in the documents, and I do not guess.`,
  },
  proposal: {
    withdrawn: 'The proposal is withdrawn; nothing was changed.',
    none: 'Nothing waits for your confirmation, so there is nothing to take back.',
    askWhich: 'Several cards are open. Cancel or edit the one you mean on the card itself.',
    askChange:
      'What should be different? I can change the priority, the title, the assignee, the recipient or the text.',
  },
  cut: 'Your message was very long; I read only its beginning.',
}

/** The sentences of the stand-in in one language. */
export type Words = typeof en

const zh: Words = {
  standIn:
    '先说明一下：这里还没有配置语言模型，由基于规则的替身来回答，只认得固定的说法；输入“帮助”可以看到有哪些。',
  help: `我是基于规则的替身，听得懂以下几类直接的请求：

- **工单**：“创建工单：三楼打印机坏了，高优先级”“查看 T-1001”“列出未完成的工单”“把 T-1001 改成紧急”“给 T-1001 加评论：……”“关闭 T-1001”
- **记忆**：“记住我喜欢简短的回答”“你记得我什么？”“忘记我的地址”
- **提醒**：“明天9点提醒我给李伟打电话”“我有哪些提醒”“取消打电话的提醒”
- **文档**：“总结上周项目会议的纪要”“手册里关于报销怎么说？”
- **消息**：“给李伟发消息：打印机修好了”
- **一次说几件事**：“总结上周项目会议的纪要，把结论发给负责人，下周提醒我补充后续计划”

会影响他人的操作，都要等您按下“确认”才会执行。`,
  hello: (name) => `您好${name ? `，${name}` : ''}。需要我做什么？输入“帮助”可以看例子。`,
  thanks: '不客气。',
  bye: '再见。',
  fine: '一切正常，谢谢。需要我做什么？',
  whoAmI:
    '我是 Hermes，团队的聊天助手。现在没有配置语言模型，由固定的规则代为回答。输入“帮助”可以看到能做什么。',
  acknowledged: '好的。',
  today: (day) => `今天是 ${day}。`,
  notUnderstood:
    '这句话我没有听懂；我只是基于规则的替身，只认得几类请求。我可以创建和查询工单、记住和回忆事情、设置提醒、搜索和总结文档、发送消息。输入“帮助”可以看例子。',
  problem: (text) => `听起来是个问题。如果需要工单，请说：“创建工单：${text}”。`,
  cannotHere: (what) => `这里做不到：${what}不可用。`,
  abilities: {
    tickets: '工单',
    memory: '记忆',
    reminders: '提醒',
    documents: '文档搜索',
    messages: '发送消息',
    proposals: '撤回提议',
    undoing: '撤销已完成的操作',
  },
  undo: {
    name: '撤销',
    done: '已撤销。',
    nothing: '这里没有可以撤销的操作。',
  },
  confirm: () => '请核对卡片并确认。',
  whichOf: (names) => `您指的是哪一个：${names.join('、')}？`,
  confirmByCard: '请在卡片上按“确认”；文字回复不算确认。',
  nothingToConfirm: '这里没有等待确认的操作。',
  outcome: {
    waiting: (name) => `${name}正在等您确认，还没有执行。`,
    running: (name) => `${name}还在执行中。`,
    cancelled: (name) => `${name}：您已取消，没有执行。`,
    expired: (name) => `${name}：没有人及时确认，没有执行。`,
    withdrawn: (name) => `${name}已撤回，没有执行。`,
    failed: (name, why) => `${name}失败：${why}`,
    refused: (name, why) => `${name}没有执行。${why}`,
    unknown: (name, why) => `${name}：不确定是否已执行。${why}`,
  },
  ticket: {
    name: (title) => `工单“${title}”`,
    changeName: (number) => `对 ${number} 的更改`,
    commentName: (number) => `对 ${number} 的评论`,
    created: (number, title) => `工单 **${number}** 已创建：${title}。`,
    updated: (number) => `**${number}** 已更新。`,
    commented: (number) => `评论已加到 **${number}**。`,
    askTitle: '工单的内容是什么？',
    askNumber: '是哪一张工单？请告诉我编号，例如 T-1001。',
    askChange: (number) => `${number} 要改什么？可以改状态、优先级、负责人、标题或截止日期。`,
    askComment: (number) => `给 ${number} 的评论要写什么？`,
    none: '没有这样的工单。',
    total: (shown, total) =>
      total > shown ? `共 ${total} 张工单，最新的 ${shown} 张：` : `共 ${total} 张工单：`,
    comments: '评论',
    changes: '变更',
    notFound: (why) => `没能取到工单。${why}`,
    fields: {
      status: '状态',
      priority: '优先级',
      assignee: '负责人',
      due: '截止',
      labels: '标签',
      created: '创建于',
    },
    values: ticketValues.zh,
  },
  memory: {
    name: '这件事',
    noted: (text) => `记住了：${text}`,
    replaced: (text) => `它取代了：${text}`,
    known: '这个我已经知道了。',
    all: '关于您，我记得：',
    some: '我记得：',
    none: '关于这个我什么都不记得。',
    noneAtAll: '关于您我还什么都不记得。可以对我说“记住……”。',
    forgotten: (texts) => `已忘记：${texts.join('；')}`,
    nothingToForget: '我不记得这方面的内容，所以没有什么可忘的。',
    askWhich: (list) => `有几条符合：\n\n${list}\n\n要忘记哪些？请说“全部”或编号。`,
    askForget: '要我忘记什么？',
    askRemember: '要我记住什么？',
    askRight: '正确的是什么？',
    corrected: (text) => `已更正：${text}`,
  },
  reminder: {
    name: (text) => `提醒“${text}”`,
    set: (text, at) => `我会在 ${at} 提醒您：${text}`,
    repeats: { daily: '每天', weekdays: '每个工作日', weekly: '每周', monthly: '每月' },
    askText: '要提醒您什么？',
    askWhen: '什么时候提醒您？',
    askWhich: (list) => `要取消哪一个提醒？\n\n${list}`,
    all: '您的提醒：',
    none: '您没有未到期的提醒。',
    noSuch: (list) => `没有符合的提醒。\n\n${list}`,
    cancelled: (text) => `提醒已取消：${text}`,
  },
  message: {
    name: (to) => `给${to}的消息`,
    sent: (to) => `给${to}的消息已发出。`,
    askTo: '要发给谁？',
    askText: (to) => `要对${to}说什么？`,
    nothingToSend: '没有可发送的内容。',
    noOwner: '纪要里没有写负责人是谁，所以没有发送。请告诉我发给谁。',
  },
  documents: {
    none: (what) => `我在文档里找了${what}，没有找到。`,
    noneInPeriod: (from, to, what) => `我在文档里找了 ${from} 至 ${to} 的${what}，没有找到。`,
    notes: '会议纪要',
    files: '现有文档：',
    noFiles: '这里没有我能读的文档。',
    failed: (why) => `没能读取文档。${why}`,
    owner: '负责人',
    decisions: '决定',
    conclusion: '结论',
    open: '待办与未决',
    says: (name) => `**${name}** 里写着：`,
    askWhat: '要我找什么？',
    summary: '简而言之：',
    noText: '没有可以总结的文字。请附上文件、说出文档名，或把文字放在“总结：”后面。',
    conclusionOf: (title, day) => `“${title}”${day ? `（${day}）` : ''}的结论：`,
    unknownAnswer: (query) => `关于“${query}”，我的记忆和文档里都没有找到；我不会猜测。`,
  },
  proposal: {
    withdrawn: '提议已撤回，没有做任何更改。',
    none: '没有等待您确认的操作，所以没有可撤回的。',
    askWhich: '有好几张卡片开着，请直接在要改的那张卡片上取消或修改。',
    askChange: '要改什么？可以改优先级、标题、负责人、收件人或内容。',
  },
  cut: '您的消息很长，我只读了开头部分。',
}

/** The stand-in's sentences. */
export function wordsOf(language: Language): Words {
  switch (language) {
    case 'en':
      return en
    case 'zh':
      return zh
  }
}
