/** What an answer may say was done, by what it is done to. */
export interface Kind {
  /** Parts of the names of tools that do such a thing. */
  readonly things: readonly string[]
  readonly nouns: { readonly en: string; readonly zh: string }
  /** In the past. */
  readonly verbs: { readonly en: string; readonly zh: string }
}

/** What is done to whatever is named. */
export interface Deed extends Omit<Kind, 'nouns'> {
  /** Claimed only where the answer names itself: "I told Bob". */
  readonly spoken?: true
}

/** The kinds of things that are done to something that is named. */
export const kinds: readonly Kind[] = [
  {
    things: ['ticket', 'issue'],
    nouns: { en: 'tickets?|issues?|T-\\d+', zh: '工单|T-\\d+' },
    verbs: {
      en: 'created|opened|filed|raised|updated|changed|closed|resolved|reopened|made|assigned|commented(?: on)?',
      zh: '创建|新建|建好|提交|更新|修改|关闭|解决|分配|指派',
    },
  },
  {
    things: ['message', 'mail', 'send', 'notify', 'post', 'chat', 'reply'],
    nouns: { en: 'messages?|emails?|mails?|replies|reply|notifications?', zh: '消息|邮件|信息|通知|短信' },
    verbs: { en: 'sent|emailed|mailed|forwarded|delivered|posted', zh: '发送|发出|发给|发到|发|转发|通知' },
  },
  {
    things: ['remind'],
    nouns: { en: 'reminders?', zh: '提醒' },
    verbs: {
      en: 'set(?: up)?|scheduled|created|added|cancelled|canceled|deleted|removed|moved|changed',
      zh: '设置|设好|设|安排|创建|取消|删除|修改',
    },
  },
  {
    things: ['event', 'meeting', 'calendar', 'book', 'room', 'appointment'],
    nouns: {
      en: 'meetings?|events?|appointments?|rooms?|calls?|invites?|invitations?',
      zh: '会议|日程|会议室|约会',
    },
    verbs: {
      en: 'booked|reserved|scheduled|rescheduled|moved|cancelled|canceled|created|added|sent',
      zh: '预订|预约|安排好|安排|改期|取消|订好',
    },
  },
  {
    things: ['expense', 'claim', 'order', 'payment', 'invoice', 'refund', 'bill', 'pay', 'purchase', 'trip'],
    nouns: {
      en: 'expenses?|claims?|orders?|payments?|invoices?|refunds?|bills?|ORD-\\d+',
      zh: '报销单?|订单|付款|发票|退款|账单',
    },
    verbs: {
      en: 'submitted|placed|paid|approved|filed|refunded|cancelled|canceled|created|issued|processed',
      zh: '提交|下单|支付|批准|退款|付清|取消',
    },
  },
  {
    things: ['file', 'document', 'page', 'folder', 'write', 'edit', 'delete', 'upload', 'record', 'move'],
    nouns: {
      en: 'files?|documents?|pages?|folders?|records?|\\S+\\.\\w{2,4}',
      zh: '文件|文档|页面|文件夹|记录',
    },
    verbs: {
      en: 'created|deleted|removed|renamed|moved|uploaded|saved|wrote|written|edited|updated|overwritten|published',
      zh: '创建|删除|重命名|移动|上传|保存|写入|修改|更新|发布',
    },
  },
  {
    things: ['remember', 'memory', 'forget'],
    nouns: { en: 'memor(?:y|ies)|notes?', zh: '记忆' },
    verbs: { en: 'saved|stored|deleted|erased|forgotten|corrected|added', zh: '保存|删除|清除|更正' },
  },
]

/** What is done to whatever is named: who says it of themselves claims it. */
export const deeds: readonly Deed[] = [
  {
    things: ['message', 'mail', 'send', 'notify', 'post', 'chat', 'reply', 'invite', 'hand'],
    verbs: {
      en: '(?:sent|emailed|mailed|messaged|forwarded|notified|invited)(?! (?:you|this|these|a (?:list|summary))\\b)',
      zh: '发送|发给|转发|通知|邀请|告诉',
    },
  },
  {
    things: ['message', 'mail', 'send', 'notify', 'post', 'chat', 'reply'],
    verbs: {
      en: '(?:let [A-Z]\\w+ (?:[A-Z]\\w+ )?know|(?:told|informed|asked|pinged) [A-Z]\\w+)',
      zh: '告诉',
    },
    spoken: true,
  },
  {
    things: ['ticket', 'issue', 'task', 'assign', 'close', 'hand'],
    verbs: { en: 'assigned|reassigned|closed|reopened|resolved|escalated', zh: '关闭|分配|指派' },
  },
  {
    things: ['delete', 'remove', 'cancel', 'forget', 'undo', 'withdraw', 'revoke', 'clear', 'reminder'],
    verbs: {
      en: 'deleted|erased|cancelled|canceled|revoked|undone|restored|(?:removed|forgotten)(?! (?:that|what|which)\\b)',
      zh: '删除|取消|撤销|撤回|恢复|清除',
    },
  },
  {
    things: [
      'pay',
      'refund',
      'order',
      'expense',
      'claim',
      'invoice',
      'bill',
      'book',
      'trip',
      'event',
      'meeting',
      'room',
    ],
    verbs: {
      en: 'refunded|paid|purchased|ordered|booked|reserved|rescheduled|submitted|approved|transferred',
      zh: '退款|支付|付款|下单|预订|预约|提交|批准|转账|改期',
    },
  },
  {
    things: ['deploy', 'restart', 'merge', 'upload', 'publish', 'archive', 'grant', 'rename'],
    verbs: {
      en: 'deployed|restarted|merged|uploaded|published|archived|granted|renamed',
      zh: '部署|重启|合并|上传|发布|归档|授权|重命名',
    },
  },
  {
    things: ['remember', 'memory'],
    verbs: { en: 'remembered|memori[sz]ed', zh: '记住|记下' },
  },
]

/** Before what was done: it was not, or is wished, promised, asked or told as somebody's condition. */
export const unrealBefore =
  /\b(?:not|never|no|nothing|none|neither|nor|without|cannot|will|would|can|could|should|shall|may|might|must|once|if|when|whenever|after|before|unless|until|whether|to be|want|wants|like me to|going to|about to|able to|failed|tried|trying|attempt\w*|proposed|prepared|drafted|waiting|pending|says?|said|see|check|confirm|press|please|suggest\w*|example|imagine|as though|as if)\b|n[’']t\b|[’']ll\b|[’']d\b|没|未|不|(?<!已|已经)将|会(?!议)|待|如果|若|一旦|等|之后|确认|需要|请|是否|要不要|可以|可能|应该|尝试|试图|准备|打算|建议|计划|就|失败|过期|即将/i
/** After it. */
export const unrealAfter =
  /\b(?:failed|expired|pending|unsuccessfully|card|draft|for your confirmation)\b|失败|未果|卡片|草稿|吗|么$/i
/** What one may make for somebody by saying it. */
export const said =
  /\b(?:below|above|here is|here are|following|drafts?|summary|summaries|outline|table|lists?|overview|plan|version|suggestions?|cards?)\b|下面|如下|上面|以上|草稿|摘要|总结|列表|表格|卡片|方案|计划/i
/** What lies back is told of, not claimed to have just been done. */
export const longAgo =
  /\b(?:yesterday|ago|last (?:week|month|year|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|by (?!me\b)[A-Za-z]+|(?:that|which|who) (?:was|were|has|have|had))\b|昨天|前天|上周|上个?月|去年|年前|天前|由/i
/** What says itself that it was done before what is asked now. */
export const before = /\b(?:already|earlier|before|previously|as i said)\b|之前|早些|先前|刚才|过了/i
