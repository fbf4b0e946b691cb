import type { Sense } from './sense.ts'

/** What is done, whatever it is done to. */
export const actions: readonly Sense[] = [
  [
    'search find look query',
    'search, find, look for, look up, looking for, hunt for, dig up, dig out, locate, where is the, where are the, where did we put, is there any, are there any, do we have any, have we got any, anything about, anyone who, somewhere on',
    '搜索 搜一下 搜 检索 查找 找一下 找找 找出 找 查一下 查查 查询 查 有没有 提到 翻一下 翻翻 翻 哪里有 放哪',
  ],
  [
    'read open get contents',
    'read, open, go through, have a look at, take a look at, pull up, what does ~ say, what is in, what it says, what they wrote, contents, give me the gist',
    '读一下 阅读 读取 读 打开 看看 看一下 看下 瞅一眼 瞅瞅 过一遍 翻看 内容 写了什么 写了啥 写的什么 写的啥 说了什么 讲了啥 讲了什么 里面写 是怎么规定',
  ],
  [
    'get show',
    'show, display, give me, view, see, check, tell me about, details of, what is in, what was in, info on, information about',
    '查看 显示 给我看 看看 看一下 看下 看 详情 详细 详细信息 调出 里面有啥 都有什么 都有啥 底细',
  ],
  [
    'list show all',
    'list, which, all the, overview of, everything, how many, all our, what all, whats all, pending, still waiting, still open, open ones',
    '列出 列一下 列个 罗列 有哪些 有啥 哪些 列表 全部 所有 都有谁 清单 一览 几个 还有几个 没处理',
  ],
  [
    'status progress state get',
    'status, progress, state of, how far along, what happened to, what happened with, any news, anything new, latest on, how is ~ going, did it go through, been approved',
    '状态 进度 进展 怎么样了 情况 新消息 动静 到什么程度 处理得 到哪一步 批下来 批了没 审批到',
  ],
  [
    'create new add make open',
    'create, new, add, make, set up, raise, draw up, put together, draft, prepare, write up, log, file, record',
    '创建 新建 新增 添加 建一个 建个 建 开一个 开一张 开个 开张 提一个 提个 做一个 做一份 做个 弄一个 弄个 弄几个 拉一个 拉个 起草 拟 生成 记一笔 加一条 加个 录入',
  ],
  [
    'update change set modify edit',
    'update, change, modify, adjust, alter, amend, set ~ to, switch ~ to, mark ~ as, fix the, fix that, replace, is now, raise ~ to, lower ~ to, instead of, not at',
    '更新 修改 改成 改为 改到 改一下 改下 修正 调整 设为 设成 设置 标记为 标记 标为 换成 变更 调成 升级为 改',
  ],
  [
    'move update change time',
    'postpone, reschedule, bring forward, push back, push ~ to, push ~ by, move ~ to, shift ~ to, delay, later than planned, an hour later, can not make it',
    '推迟 延期 提前 改期 往后挪 往后推 往后延 挪到 移到 延后 顺延 调到 赶不上 换个时间 改时间 改天',
  ],
  [
    'write edit save',
    'write, save, store ~ in, put ~ into, note down',
    '写入 写到 写进 写 编辑 保存 存到 存成 存进',
  ],
  [
    'rename move',
    'rename, move, relocate, put ~ in the folder',
    '重命名 改名 移动 挪到 移到 搬到 归到 挪进 放到',
  ],
  [
    'delete remove erase',
    'delete, remove, erase, get rid of, throw away, wipe',
    '删除 移除 删掉 删 去掉 清除 清掉 抹掉',
  ],
  [
    'cancel',
    'cancel, call off, call it off, no longer need, do not need ~ any more, need not, scrap, abort, undo, changed her mind, changed his mind, changed their mind, not take place, drop the, no need to, stop reminding, not going to happen',
    '取消 不用了 不要了 不需要 撤销 作废 不开了 不办了 退订 不想要 不用再 别再 算了 不搞了',
  ],
  [
    'withdraw proposed',
    'withdraw, take back, never mind, changed my mind, forget about it, do not do that, wait do not, hold off',
    '撤回 收回 先别弄 先别做 改主意 别执行 不做了 别发了 等等',
  ],
  [
    'send message tell',
    'tell, let ~ know, inform, notify, pass on, give ~ a heads up, drop ~ a line, announce, make sure ~ knows, say hi to, pass ~ a message',
    '告诉 通知 转告 发消息 说一声 知会 告知 带个话 跟~说 和~说 给~说 让~知道 发给 通知一下',
  ],
  [
    'send mail',
    'send, forward, write to, drop ~ an email, reply to ~ mail, write back to',
    '发送 寄 转发 写封信 发封 发一封 写封 回信 催一下',
  ],
  [
    'trigger start run',
    'start, trigger, run, kick off, launch, execute, fire up',
    '启动 触发 跑一次 跑一下 跑一遍 跑个 跑 执行 运行 发起',
  ],
  [
    'restart',
    'restart, reboot, bounce, start ~ again, turn ~ off and on, hanging, hung, stuck',
    '重启 重新启动 卡死 挂了重',
  ],
  [
    'book',
    'book, reserve, hold ~ for us, make a reservation, get me on, grab a, grab something, grab us, need a place, we need a room, buy me a ticket',
    '预订 预定 订一 订个 订间 订张 订 定一个 定个 约一个 预约 占个 抢个',
  ],
  [
    'close resolve update status',
    'close, resolved, solved, done with, settled, reopen, can be closed, taken care of, is fixed',
    '关闭 已解决 解决 搞定 处理完 处理好 办完 关掉 重新打开 可以结了 结了 结掉 了结',
  ],
  [
    'assign update assignee owner',
    'assign, hand ~ over to, give ~ to, take over, responsible for, owner of',
    '指派 分配给 分给 派给 转给 交给 负责人',
  ],
  ['priority urgent', 'priority, urgent, asap, critical', '优先级 紧急 加急 高优先级'],
  [
    'comment add',
    'comment, remark, mention on, note on, reply on, add to the ticket, write on the ticket',
    '评论 备注 留言 下面加 补充一句 跟一句 加个说明',
  ],
  ['approve approval confirm', 'approve, sign off, confirm, reject', '审批 批准 同意 驳回 确认'],
  ['request apply', 'request, apply for, ask for, put in for', '申请 帮我请 想请'],
  [
    'summary summarise summarize read',
    'summarise, summarize, sum up, gist, recap, key points, too long',
    '总结 概括 摘要 汇总 归纳 要点 梳理',
  ],
  ['upload', 'upload, attach', '上传'],
  ['download export', 'download, export', '下载 导出'],
  ['share', 'share', '分享 共享'],
  ['copy', 'copy, duplicate', '复制 拷贝'],
  [
    'left balance',
    'left, remaining, remain, balance, still have',
    '还剩 剩余 剩下 剩 余额 还有多少 还有几天 还能',
  ],
]
