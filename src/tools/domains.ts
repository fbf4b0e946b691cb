// Words of requests, in both languages, and the words that tools are described with. Requests in Chinese share no
// word with descriptions in English; this table is what they share.
const table: readonly (readonly [english: readonly string[], chinese: readonly string[]])[] = [
  [
    ['search', 'find', 'look', 'query'],
    ['搜索', '搜', '查找', '查询', '找', '查一下', '帮我查', '查'],
  ],
  [
    ['file', 'document', 'note', 'notes', 'minutes', 'directory', 'read', 'folder', 'search'],
    ['文件', '文档', '纪要', '笔记', '资料', '目录', '会议记录', '手册', '日志'],
  ],
  [
    ['write', 'edit', 'save'],
    ['写入', '编辑', '保存', '写到'],
  ],
  [
    ['summary', 'summarise', 'summarize', 'read'],
    ['总结', '概括', '摘要', '汇总'],
  ],
  [
    ['message', 'send', 'tell', 'mail', 'email', 'notify'],
    ['发给', '发送', '发消息', '告诉', '通知', '转告', '邮件', '发'],
  ],
  [
    ['ticket', 'issue', 'bug', 'task'],
    ['工单', '问题单', '任务', '故障', '报修', '坏了'],
  ],
  [
    ['reminder', 'remind', 'schedule'],
    ['提醒', '定时', '到时候'],
  ],
  [
    ['remember', 'memory', 'recall', 'preference'],
    ['记住', '记得', '记忆', '偏好'],
  ],
  [
    ['forget', 'delete', 'remove', 'erase'],
    ['忘记', '忘掉', '删除', '移除'],
  ],
  [
    ['update', 'change', 'modify', 'correct', 'set'],
    ['更新', '修改', '更正', '改成', '改为', '调整'],
  ],
  [
    ['list', 'show', 'all'],
    ['列出', '有哪些', '列表', '全部', '显示'],
  ],
  [
    ['create', 'new', 'add', 'make', 'open'],
    ['创建', '新建', '建一个', '添加', '建个', '开一个', '提一个'],
  ],
  [
    ['expense', 'reimbursement', 'claim', 'invoice', 'cost', 'amount'],
    ['报销', '费用', '发票', '金额'],
  ],
  [
    ['order', 'purchase'],
    ['订单', '采购', '下单'],
  ],
  [
    ['calendar', 'meeting', 'event', 'appointment'],
    ['会议', '日历', '日程', '约'],
  ],
  [
    ['person', 'user', 'people', 'employee', 'contact', 'customer'],
    ['人员', '员工', '联系人', '客户', '用户'],
  ],
  [
    ['time', 'date', 'timezone', 'clock'],
    ['时间', '日期', '几点', '时区'],
  ],
  [
    ['weather', 'forecast', 'temperature'],
    ['天气', '气温', '预报'],
  ],
  [
    ['git', 'commit', 'branch', 'repository', 'code', 'diff'],
    ['代码', '提交', '分支', '仓库'],
  ],
  [
    ['database', 'table', 'sql', 'rows'],
    ['数据库', '表', '数据'],
  ],
  [
    ['approve', 'approval', 'confirm'],
    ['审批', '批准', '确认'],
  ],
  [['translate', 'translation', 'language'], ['翻译']],
  [
    ['image', 'picture', 'photo', 'media'],
    ['图片', '照片', '图像'],
  ],
  [
    ['graph', 'entity', 'relation', 'knowledge'],
    ['图谱', '实体', '关系', '知识'],
  ],
  [
    ['plan', 'step', 'thinking', 'sequential'],
    ['计划', '步骤', '规划'],
  ],
  [
    ['status', 'state', 'progress'],
    ['状态', '进度', '进展'],
  ],
  [
    ['cancel', 'stop', 'withdraw', 'undo'],
    ['取消', '撤回', '撤销', '停止'],
  ],
  [
    ['comment', 'reply', 'note'],
    ['评论', '备注', '回复'],
  ],
]

const stop = new Set(
  'the and for with that this from are was you your please can could would have has had not but what which when who how does did about into than then them they our all any some its also will just like want need use used using when not returns fails with tool only where there here one more'.split(
    ' ',
  ),
)

/** The words of a description or an English request, in their simplest form. */
export function simpleWords(text: string): ReadonlySet<string> {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]{3,}/g)
  return new Set((words ?? []).filter((word) => !stop.has(word)).map(stem))
}

// As the words of texts are compared: in their simplest form.
const stems = table.map(([english, chinese]) => [english.map(stem), chinese] as const)

/** The words of a request in either language, as descriptions have them. */
export function requestWords(text: string): ReadonlySet<string> {
  const words = new Set(simpleWords(text))
  for (const [english, chinese] of stems) {
    const named = chinese.some((word) => text.includes(word)) || english.some((word) => words.has(word))
    if (named) for (const word of english) words.add(word)
  }
  return words
}

/** "tickets", "searching" and "summarised" as "ticket", "search" and "summaris": enough for names and verbs. */
function stem(word: string): string {
  if (word.length <= 4) return word
  return word.replace(/(?:ies)$/, 'y').replace(/(?:ing|ed|es|s)$/, '')
}
