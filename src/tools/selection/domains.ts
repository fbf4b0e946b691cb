// Words of requests, in both languages, and the words that tools are described with. Requests in Chinese share no
// word with descriptions in English; this table is what they share. The first word of a row is what it is about.
const table: readonly (readonly [english: string, chinese: string])[] = [
  ['search find look query', '搜索 搜一下 搜 查找 查询 找一下 找 查一下 帮我查 查看 查'],
  ['file document', '文件 文档 资料'],
  ['note minutes file document search', '纪要 笔记 会议记录'],
  ['read file open', '读一下 阅读 读取 读 看看 看一下 打开'],
  ['directory folder list', '目录 文件夹'],
  ['handbook document file search', '手册'],
  ['write edit save', '写入 写到 写 编辑 保存'],
  ['rename move', '重命名 改名 移动 挪到'],
  ['summary summarise summarize read file', '总结 概括 摘要 汇总'],
  ['message send tell', '发给 发送 发消息 消息 告诉 通知 转告 发'],
  ['mail email mailbox', '邮件 邮箱 收件箱'],
  ['ticket issue bug', '工单 问题单 故障 报修 坏了 漏水'],
  ['reminder remind', '提醒 定时 到时候'],
  ['remember memory', '记住 记一下'],
  ['recall memory remember', '你记得 还记得 记得 记忆'],
  ['forget erase', '忘记 忘掉'],
  ['delete remove', '删除 移除'],
  ['correct wrong', '更正 纠正 记错 不对'],
  ['update change modify set', '更新 修改 改成 改为 调整 改到'],
  ['list show all', '列出 有哪些 哪些 列表 全部 显示'],
  ['create new add make', '创建 新建 建一个 添加 建个 开一个 开一张 提一个 做一个'],
  ['expense reimbursement claim', '报销 费用'],
  ['invoice', '发票'],
  ['paid payment unpaid', '付款 支付 未付'],
  ['budget', '预算'],
  ['exchange rate currency', '汇率 兑'],
  ['order', '订单 下单'],
  ['refund', '退款 退钱'],
  ['reorder supplier purchase', '采购 补货'],
  ['stock warehouse', '库存 仓库存量'],
  ['parcel shipment track delivery', '包裹 快递 物流'],
  ['product catalogue', '商品 产品'],
  ['calendar event', '日历 日程 行程表'],
  ['meeting event calendar', '开会 会议 例会'],
  ['invite event meeting create', '约 邀请'],
  ['free time available', '有空 空闲'],
  ['room meeting', '会议室'],
  ['book reserve', '预订 预定 订一'],
  ['employee colleague find', '员工 同事'],
  ['customer client', '客户'],
  ['deal sales pipeline', '商机 销售管道'],
  ['phone contact', '电话 联系方式'],
  ['person people', '人员 联系人 用户'],
  ['leave vacation holiday', '休假 年假 请假 假期 放假'],
  ['absent absence', '请假了 谁请假 不在'],
  ['request apply', '申请'],
  ['balance left', '还剩 剩余 余额'],
  ['payslip salary', '工资条 工资'],
  ['org team chart', '组织架构'],
  ['time date', '时间 日期 几点'],
  ['timezone clock', '时区'],
  ['weather forecast temperature', '天气 气温 预报'],
  ['flight', '航班 机票 飞'],
  ['hotel', '酒店 宾馆'],
  ['trip travel', '差旅 出差 旅行'],
  ['route travel', '路线 怎么走'],
  ['lunch menu canteen', '食堂 午饭 午餐 菜单'],
  ['visitor reception', '访客 来访'],
  ['supply office', '办公用品'],
  ['code source', '代码'],
  ['repository', '代码仓库 仓库'],
  ['commit', '提交记录 提交'],
  ['branch', '分支'],
  ['merge pull request', '合并请求 合并'],
  ['pull request merge', '合并请求 拉取请求'],
  ['build pipeline', '构建 编译 流水线'],
  ['deploy release', '部署到 发布 上线'],
  ['deployment', '部署'],
  ['release version', '版本'],
  ['staging environment', '预发布 测试环境'],
  ['rollback roll back', '回滚 回退'],
  ['production environment', '生产环境 生产'],
  ['log', '日志'],
  ['alert', '告警 报警 警报'],
  ['metric latency', '指标 延迟'],
  ['silence', '静音 屏蔽'],
  ['restart', '重启'],
  ['scale replica', '扩容 缩容 副本'],
  ['pod', '容器'],
  ['database table sql', '数据库 数据表'],
  ['warehouse sql query', '数据仓库 数仓'],
  ['wiki page', '知识库 维基 百科'],
  ['approve approval confirm', '审批 批准 确认'],
  ['translate translation language', '翻译'],
  ['transcribe recording speech', '录音 转写 转成文字'],
  ['image picture', '图片 照片 图像 画'],
  ['survey question', '问卷 调查'],
  ['contract', '合同'],
  ['signature sign', '签字 签名 签署'],
  ['graph entity relation knowledge', '图谱 实体'],
  ['plan step', '计划 步骤 规划'],
  ['status state progress', '状态 进度 进展'],
  ['cancel withdraw undo', '取消 撤回 撤销 停止'],
  ['comment', '评论 备注 留言'],
  ['assign assignee owner', '指派 分配给 负责人'],
  ['priority urgent', '优先级 紧急'],
  ['close resolve update', '关闭 已解决 解决'],
  ['web address page fetch', '网址 网页 链接'],
]

// What ids name without a word for it.
const idWords: readonly (readonly [shape: RegExp, word: string])[] = [
  [/\bT-\d+/i, 'ticket'],
  [/\b(?:ORD|PO)-?\d+/i, 'order'],
  [/\bINV-?\d+/i, 'invoice'],
  [/\bhttps?:\/\//i, 'address'],
  [/\b[\w-]+\.(?:md|txt|pdf|docx?|csv|xlsx?)\b/i, 'file'],
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
const rows = table.map(([english, chinese]) => ({
  english: english.split(' ').map(stem),
  chinese: chinese.split(' '),
}))
// Longer words first, so that a part of one (发 in 发票) is not taken for a word of its own.
const chineseWords = rows
  .flatMap(({ english, chinese }) => chinese.map((word) => ({ word, english })))
  .sort((a, b) => b.word.length - a.word.length)

/** How much a word of the same row counts, and one that follows another's meaning. */
const near = 0.35
const also = 0.6

/** The words of a request in either language, as descriptions have them, with how much each counts (to 1). */
export function requestWords(text: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>()
  const add = (word: string, weight: number) => words.set(word, Math.max(weight, words.get(word) ?? 0))
  const said = simpleWords(text)
  for (const word of said) add(word, 1)
  for (const { english } of rows) {
    if (english.slice(0, 3).some((word) => said.has(word))) for (const word of english) add(word, near)
  }
  let rest = text
  for (const { word, english } of chineseWords) {
    if (!rest.includes(word)) continue
    rest = rest.replaceAll(word, ' ')
    for (const [place, meaning] of english.entries()) add(meaning, place === 0 ? 1 : also)
  }
  for (const [shape, word] of idWords) if (shape.test(text)) add(word, 0.8)
  return words
}

/** "tickets", "searching" and "updated" as "ticket", "search" and "updat": enough for names and verbs. */
function stem(word: string): string {
  if (word.length <= 4) return word
  const one = word
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|z|ch|sh)es$/, '')
    .replace(/(?<!s)s$/, '')
  const bare = one.length > 5 ? one.replace(/(?:ing|ed)$/, '') : one
  return bare.length > 4 ? bare.replace(/e$/, '') : bare
}
