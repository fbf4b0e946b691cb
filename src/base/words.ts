/** The languages whose words are shipped. */
export type Language = 'en' | 'zh'

/** The language that a text is written in: Chinese where it holds Han characters without kana, else English. */
export function languageOf(text: string): Language {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  if (han === 0 || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'en'
  const latinWords = text.match(/[A-Za-z]{2,}/g)?.length ?? 0
  return han >= latinWords ? 'zh' : 'en'
}

/** A time of day and, where it is another day, the day, as people say it: "14:07", "tomorrow 14:05", "9 Dec 14:05". */
export function clockTime(at: Date, now: Date, timeZone: string, language: Language): string {
  const day = (date: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(date)
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at)
  const days = Math.round((Date.parse(day(at)) - Date.parse(day(now))) / 86_400_000)
  if (days === 0) return time
  if (days === 1) return language === 'zh' ? `明天 ${time}` : `tomorrow ${time}`
  if (days === -1) return language === 'zh' ? `昨天 ${time}` : `yesterday ${time}`
  const year = day(at).slice(0, 4) === day(now).slice(0, 4) ? undefined : ('numeric' as const)
  const date = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone,
    day: 'numeric',
    month: language === 'zh' ? 'long' : 'short',
    year,
  }).format(at)
  return `${date} ${time}`
}

// Asking for a zone takes half a millisecond; there are some hundred of them.
const zones = new Set<string>()

/** Is it a time zone that this machine knows? */
export function isTimeZone(name: string): boolean {
  if (zones.has(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  zones.add(name)
  return true
}

/** Somebody's own time zone where it is known to this machine, else the one that is given. */
export function zoneOr(own: string | null, otherwise: string): string {
  return own !== null && isTimeZone(own) ? own : otherwise
}

const en = {
  confirm: 'Confirm',
  edit: 'Edit',
  cancel: 'Cancel',
  confirmAll: 'Confirm all',
  save: 'Save',
  why: 'Why',
  check: 'Check',
  runAgain: 'Run again',
  isDone: 'It is done',
  stop: 'Stop',
  more: 'Show all',
  alwaysAllow: 'Always allow here',
  revoke: 'Revoke',
  askedBy: 'Asked for by',
  waitsFor: (name: string, until: string) => `waits for ${name} · until ${until}`,
  oneOf: (names: readonly string[]) =>
    names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
  anyoneOf: (group: string) => `anyone of ${group}`,
  butNot: (names: string, name: string) => `${names}, but not ${name}`,
  allowedBy: (name: string) => `Done without asking, as ${name} allowed here`,
  stillWaits: (what: string, names: string, until: string) =>
    `Still waiting for ${names}: ${what}. It expires ${until}.`,
  confirmedBy: (name: string, at: string) => `Confirmed by ${name}, ${at}`,
  running: 'running',
  cancelled: 'Cancelled',
  cancelledBy: (name: string, at: string) => `Cancelled by ${name}, ${at}`,
  expired: 'Expired',
  changed: 'Changed: see the new card below',
  withdrawn: 'Withdrawn',
  failed: (why: string) => `Failed: ${why}`,
  notKnown: (why: string) => `Not known: ${why}`,
  toldUnknown: (name: string, { what, why, choices }: { what: string; why: string; choices: string }) =>
    `${name}, I do not know whether this was done: ${what}.${why === '' ? '' : ` ${why}.`} ${choices}`,
  youChoose: (choices: string) => `Choose on its card: ${choices}.`,
  othersChoose: (names: string, choices: string) => `${names} can choose on its card: ${choices}.`,
  markedDone: (name: string, at: string) => `Marked as done by ${name}, ${at}`,
  onlyMayDecide: (name: string) => `Only ${name} can decide this.`,
  onlyMayEdit: (name: string) => `Only ${name} can edit this.`,
  alreadyConfirmed: (name: string, at: string) => `Already confirmed by ${name} at ${at}.`,
  alreadyCancelled: (name: string, at: string) => `Already cancelled by ${name} at ${at}.`,
  hasExpired: 'This has expired. Ask again and I will make a new card.',
  toolChanged:
    'The tool has changed since this card was shown. Look at the new card below and confirm that one.',
  noLongerFits: 'The tool has changed since this card was shown, and no longer takes this. Nothing was done.',
  rulesDiffer: 'Changed. With this, other rules count: see the new card below.',
  allowedNotice:
    'Confirmed. From now on I do the same here without asking; say "what may you do without asking" to see and revoke it.',
  revoked: (what: string) => `Revoked. From now on I ask again: ${what}`,
  notYours: 'There is nothing of yours to revoke here.',
  checking: 'I am looking whether it was done.',
  wasDone: 'I looked: it was done.',
  wasNotDone: 'I looked: it was not done',
  cantTell: 'I looked, but could not find out',
  hasChanged: 'This card has changed. Decide on the newest one.',
  noSuchCard: 'I do not know this card. It may be from another place or time.',
  confirmedNotice: 'Confirmed. I am doing it now.',
  blockedNotice: (why: string) => `This can't be done now: the tool is blocked. ${why} Nothing was changed.`,
  partlyBlocked: (why: string) => `Not all of it can be done now: a tool is blocked. ${why}`,
  cancelledNotice: 'Cancelled. Nothing was changed.',
  savedNotice: 'Changed. Check the card and confirm it.',
  buttonGone: 'This button no longer does anything.',
  nothingRuns: 'Nothing is running here.',
  whichCard: (cards: readonly string[]) =>
    `Several things wait for your decision. Which do you mean?\n${cards.join('\n')}`,
  stopped: 'Stopped.',
  stoppedWithdrawn: 'Stopped. What was waiting for a confirmation is withdrawn; nothing was changed.',
  thinking: 'Thinking',
  restIsAttached: 'The rest is in the attached file.',
  fileNotSent: (name: string) => `The file ${name} could not be sent here.`,
  modelDown:
    'The language model does not answer right now. Your message is kept; write again in a while and I will take it up.',
  modelSlow:
    'The language model took too long to answer. Your message is kept; write again and I will try once more.',
  modelBusy:
    'The language model is handling too many requests right now. Your message is kept; write again in a minute.',
  modelRefused: 'The language model refused to answer this.',
  modelUnauthorized:
    'The language model does not accept our key. An operator has to mend the setting; your message is kept.',
  modelEmpty: 'The language model gave an empty answer, twice. Try to say it in other words.',
  modelTooLong:
    'This conversation is too long for the language model. Start a new thread, or ask for less at once.',
  modelInvalid: 'The language model did not accept the request. The trace says why; an operator can read it.',
  tooManySteps: (steps: number) =>
    `I stopped after ${steps} steps without reaching an answer. Tell me how to go on, or ask for less at once.`,
  tooLong: (minutes: number) =>
    `I stopped after ${minutes} minutes. What was done so far is kept; tell me how to go on.`,
  tooMuch:
    'This took more of the language model than one request may. What was done so far is kept; ask for less at once.',
  sameCallAgain: 'I kept asking the same thing of the same tool, so I stopped. Tell me how to go on.',
  internal: 'Something went wrong on my side. It is recorded; your message is kept. Try again.',
  notDone: 'To be exact: that was not done.',
  reminder: (name: string, text: string) => `Reminder for ${name}: ${text}`,
  reminderSource: 'You asked for it in this thread.',
  nobodyCalled: (name: string) => `I know nobody called "${name}" here.`,
  severalCalled: (names: readonly string[]) => `That may be any of: ${names.join(', ')}.`,
  notYourself: 'That has to be somebody else than you.',
  notInFile: (labels: readonly string[], file: string) =>
    `I could not find this in ${file}: ${labels.join(', ')}.`,
  chosenBy: (name: string, option: string) => `${name} chose: ${option}`,
  noLongerAsked: 'No longer asked',
  waitsForChoice: (name: string) => `waits for ${name}`,
  fillIn: 'Fill in',
  send: 'Send',
  yes: 'Yes',
  no: 'No',
  stillNeeded: (labels: readonly string[]) => `Still needed: ${labels.join(', ')}.`,
  whichIsMeant: (label: string, value: string) => `${label}: several fit "${value}". Which one?`,
  isWrong: (label: string, problem: string) => `${label}: ${problem}.`,
  isNotKnown: (value: string) => `"${value}" is not known here. Write its id.`,
  waitsForAnswer: (name: string) => `waits for ${name}`,
  answeredBy: (name: string) => `Answered by ${name}`,
  askedNoLonger: 'No longer asked',
  onlyMayAnswer: (name: string) => `Only ${name} can answer this.`,
  alreadyAnswered: 'Already answered.',
  askedNoLongerNotice: 'No longer asked.',
  answerTaken: 'Thank you. I am going on with it.',
  secretNotAsked: (labels: readonly string[]) =>
    `${labels.join(', ')}: a secret is never asked for in a conversation. It has to be set up with the system that it belongs to, by whoever runs it.`,
  welcome:
    'I answer questions, search your documents, make tickets, send messages and set reminders.\nI remember facts and preferences you tell me; say "what do you remember about me" to see them and "forget …" to erase them.\nNothing is changed anywhere without your Confirm.',
  suggestions: [
    'What can you do here?',
    'Create a ticket: the printer on floor 3 is broken',
    "Summarise last week's project meeting notes",
    'Remember that I prefer short answers',
  ],
  none: 'none',
  offlineStatus: 'rule-based stand-in, no language model is configured',
}

/** Every sentence that people see, once per language. */
export type Phrases = typeof en

const zh: Phrases = {
  confirm: '确认',
  edit: '修改',
  cancel: '取消',
  confirmAll: '全部确认',
  save: '保存',
  why: '依据',
  check: '核查',
  runAgain: '再执行一次',
  isDone: '已经完成',
  stop: '停止',
  more: '全部显示',
  alwaysAllow: '在此始终允许',
  revoke: '撤销许可',
  askedBy: '提出人',
  waitsFor: (name, until) => `等待 ${name} 确认 · ${until} 前有效`,
  oneOf: (names) => names.join(' 或 '),
  anyoneOf: (group) => `${group} 组任一成员`,
  butNot: (names, name) => `${names}（${name} 除外）`,
  allowedBy: (name) => `未再询问，${name} 已在此允许`,
  stillWaits: (what, names, until) => `仍在等待 ${names}：${what}。${until} 到期。`,
  confirmedBy: (name, at) => `${name} 已于 ${at} 确认`,
  running: '执行中',
  cancelled: '已取消',
  cancelledBy: (name, at) => `${name} 已于 ${at} 取消`,
  expired: '已过期',
  changed: '已更改：请看下面的新卡片',
  withdrawn: '已撤回',
  failed: (why) => `失败：${why}`,
  notKnown: (why) => `结果未知：${why}`,
  toldUnknown: (name, { what, why, choices }) =>
    `${name}，不能确定这件事是否已经完成：${what}。${why === '' ? '' : `${why}。`}${choices}`,
  youChoose: (choices) => `请在它的卡片上选择：${choices}。`,
  othersChoose: (names, choices) => `${names} 可以在它的卡片上选择：${choices}。`,
  markedDone: (name, at) => `${name} 已于 ${at} 标记为完成`,
  onlyMayDecide: (name) => `只有 ${name} 可以决定。`,
  onlyMayEdit: (name) => `只有 ${name} 可以修改。`,
  alreadyConfirmed: (name, at) => `${name} 已于 ${at} 确认过。`,
  alreadyCancelled: (name, at) => `${name} 已于 ${at} 取消过。`,
  hasExpired: '这张卡片已过期。请重新提出，我会给出新的卡片。',
  toolChanged: '这张卡片显示之后工具有了变化。请看下面的新卡片并在那里确认。',
  noLongerFits: '这张卡片显示之后工具有了变化，已不接受这些内容。没有做任何更改。',
  rulesDiffer: '已修改。修改后适用另一条规则：请看下面的新卡片。',
  allowedNotice: '已确认。以后在此做同样的事不再询问；说“你可以不问就做什么”可查看和撤销。',
  revoked: (what) => `已撤销，以后会再次询问：${what}`,
  notYours: '这里没有您可以撤销的许可。',
  checking: '我正在核查是否已经完成。',
  wasDone: '我核查过：已经完成。',
  wasNotDone: '我核查过：没有完成',
  cantTell: '我核查过，但无法确定',
  hasChanged: '这张卡片已更改，请在最新的卡片上决定。',
  noSuchCard: '我不认识这张卡片，它可能来自别处或更早的时候。',
  confirmedNotice: '已确认，正在执行。',
  blockedNotice: (why) => `现在不能执行：这个工具已被停用（${why}）。没有做任何更改。`,
  partlyBlocked: (why) => `其中有的现在不能执行：有工具已被停用（${why}）。`,
  cancelledNotice: '已取消，没有做任何更改。',
  savedNotice: '已修改，请核对卡片后确认。',
  buttonGone: '这个按钮已经失效。',
  nothingRuns: '这里没有正在进行的任务。',
  whichCard: (cards) => `有几项在等您决定，您指的是哪一项？\n${cards.join('\n')}`,
  stopped: '已停止。',
  stoppedWithdrawn: '已停止。等待确认的操作已撤回，没有做任何更改。',
  thinking: '思考中',
  restIsAttached: '其余内容见附件。',
  fileNotSent: (name) => `文件 ${name} 无法发送到这里。`,
  modelDown: '语言模型暂时没有响应。您的消息已保留，稍后再发一句我就继续。',
  modelSlow: '语言模型响应太慢。您的消息已保留，再发一句我会重试。',
  modelBusy: '语言模型当前请求过多。您的消息已保留，请一分钟后再试。',
  modelRefused: '语言模型拒绝回答这个问题。',
  modelUnauthorized: '语言模型不接受我们的密钥，需要管理员修正设置；您的消息已保留。',
  modelEmpty: '语言模型两次给出了空回答，请换一种说法。',
  modelTooLong: '这段对话对语言模型来说太长了。请新开一个话题，或一次少问一些。',
  modelInvalid: '语言模型没有接受这次请求。原因在追踪记录里，管理员可以查看。',
  tooManySteps: (steps) =>
    `我执行了 ${steps} 步仍没有得出答案，先停在这里。请告诉我如何继续，或一次少问一些。`,
  tooLong: (minutes) => `已经过了 ${minutes} 分钟，我先停在这里。已完成的部分都保留着，请告诉我如何继续。`,
  tooMuch: '这个请求用掉的模型额度超过了单次上限。已完成的部分都保留着，请一次少问一些。',
  sameCallAgain: '我一直在对同一个工具提同样的请求，所以停下了。请告诉我如何继续。',
  internal: '我这边出了问题，已经记录；您的消息已保留，请再试一次。',
  notDone: '准确地说：这件事还没有做。',
  reminder: (name, text) => `提醒 ${name}：${text}`,
  reminderSource: '这是您在本话题里设置的提醒。',
  nobodyCalled: (name) => `这里没有我认识的“${name}”。`,
  severalCalled: (names) => `可能是：${names.join('、')}。`,
  notYourself: '需要选择您本人以外的人。',
  notInFile: (labels, file) => `在 ${file} 中没有找到：${labels.join('、')}。`,
  chosenBy: (name, option) => `${name} 选择了：${option}`,
  noLongerAsked: '不再需要选择',
  waitsForChoice: (name) => `等待 ${name} 选择`,
  fillIn: '填写',
  send: '提交',
  yes: '是',
  no: '否',
  stillNeeded: (labels) => `还需要：${labels.join('、')}。`,
  whichIsMeant: (label, value) => `${label}：有几个与“${value}”相符，是哪一个？`,
  isWrong: (label, problem) => `${label}：${problem}。`,
  isNotKnown: (value) => `这里没有“${value}”，请填写它的编号。`,
  waitsForAnswer: (name) => `等待 ${name} 回答`,
  answeredBy: (name) => `${name} 已回答`,
  askedNoLonger: '不再需要回答',
  onlyMayAnswer: (name) => `只有 ${name} 可以回答。`,
  alreadyAnswered: '已经回答过了。',
  askedNoLongerNotice: '不再需要回答。',
  answerTaken: '收到，我继续处理。',
  secretNotAsked: (labels) =>
    `${labels.join('、')}：对话中从不询问密码一类的机密，需要由系统的管理者在其所属的系统中设置。`,
  welcome:
    '我可以回答问题、搜索文档、创建工单、发送消息和设置提醒。\n您告诉我的事实和偏好我会记住；说“你记得我什么”可以查看，说“忘记……”可以删除。\n没有您的确认，我不会更改任何东西。',
  suggestions: [
    '你能做什么？',
    '建一个工单：三楼的打印机坏了',
    '总结上周项目会议的纪要',
    '记住我喜欢简短的回答',
  ],
  none: '无',
  offlineStatus: '规则替身，没有配置语言模型',
}

/** The sentences of a language. */
export function phrases(language: Language): Phrases {
  return language === 'zh' ? zh : en
}
