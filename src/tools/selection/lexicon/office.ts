import type { Sense } from './sense.ts'

/** What Hermes itself keeps or passes on for people. */
export const ownWork: readonly Sense[] = [
  [
    'ticket create',
    'does not work, not working, is broken, are broken, out of order, broke down, is leaking, leak, defect, faulty, malfunction, is down, is dead, wont start, wont open, report a, help desk, keeps crashing, crash, file a bug, somebody needs to, someone needs to, needs fixing, needs repair, take care of, smells, flickering, jammed, jam, locked out',
    '报修 坏了 漏水 漏 故障 报障 不能用 用不了 没反应 打不开 连不上 坏掉 出问题 出毛病 报~修 崩了 没电 派人 找人修 修一下 闪个不停 堵了 卡纸 登不上',
  ],
  [
    'ticket issue',
    'ticket, tickets, issue, bug, incident, case, work order',
    '工单 问题单 单子 缺陷 工单号 那个单 这个单',
  ],
  [
    'reminder remind set',
    'remind, reminder, ping me, nudge, wake me, do not let me forget, alarm, give me a shout, call me back, give me a buzz, poke me',
    '提醒 定时 到时候 闹钟 叫我 喊我 别让我忘 催我 记得叫 到点 叫一声 提醒我',
  ],
  ['list reminders', 'my reminders, what reminders', '有哪些提醒 哪些提醒 叫我的那些'],
  [
    'cancel reminder',
    'nag me, remind me any more, remind me anymore, stop reminding me, stop pinging me',
    '别提醒 不用提醒 别再提醒 不用再提醒 别再叫我',
  ],
  [
    'remember memory',
    'remember that, keep ~ in mind, memorise, bear in mind, for the future, from now on, always use, for next time, just so you know, fyi i, take note',
    '记住 记一下 记下来 记着 记好 以后都 今后 以后 你记一下',
  ],
  [
    'recall memory remember',
    'what do you know about me, do you remember, do you recall, what did i tell you, what have i told, did i tell you, did i mention, what do you remember, did i ever, what was my, i told you before',
    '你记得 还记得 我说过 我告诉过 跟你说过 你知道我 记不记得 和你提过 跟你提过 我之前说 来着',
  ],
  [
    'forget erase memory',
    'forget, erase, do not keep, stop remembering, rather you did not keep, wipe what you know',
    '忘记 忘掉 忘了 别记 都忘 别留着',
  ],
  [
    'correct memory wrong',
    'correct, you got ~ wrong, you remember ~ wrong, not true, that is wrong, mistaken, you have ~ wrong, old information about me, no longer live, no longer work',
    '更正 纠正 记错 弄错 搞错 不是这样 不对 老信息 早就不 记岔',
  ],
  [
    'plan step update',
    'plan, steps, step of the plan, step by step, next step, first ~ then',
    '计划 步骤 第~步 规划 一步一步 先~再~然后',
  ],
  [
    'read result part page',
    'cut off, truncated, rest of the, what comes after, the next page, show the rest, only part of, full output, more of that result, complete result',
    '只显示了 只有一部分 第二页 下一页 剩下的内容 剩下的结果 完整结果 被截断 后面的 没显示完 刚才的结果',
  ],
  [
    'find tools do here',
    'what can you do, things can you, can you actually do, how can you help, your abilities, what are you able to',
    '你会什么 你能做什么 能帮我做什么 能帮我 都能 有什么功能 你会啥 能干啥 会做什么',
  ],
  [
    'send message person channel',
    'message, dm, ping ~ that, in the channel, post in, chat',
    '消息 私信 频道 群里 大群 通知大家 让大家知道 跟大家',
  ],
]

/** Mail, meetings, time, people and papers. */
export const office: readonly Sense[] = [
  [
    'mail email mailbox',
    'mail, mails, email, emails, inbox, mailbox, newsletter, subject line, attachment, wrote me, write to me, written to me, write back to',
    '邮件 邮箱 收件箱 来信 信件 发信 写信 发封 回信 来函',
  ],
  [
    'read mail',
    'read the mail, the mail from, what did ~ write, open the mail',
    '邮件讲 那封邮件 封邮件~讲 打开邮件',
  ],
  [
    'archive mail folder',
    'archive, clean up my inbox, tidy up, file away',
    '归档 存档 收起来 邮件~挪到 邮件~移到 邮件~归',
  ],
  [
    'calendar event meeting',
    'calendar, schedule, agenda, appointment, meeting, meetings, call with, catch-up, stand-up, do i have anything, one on one, sync with, workshop, kick-off, lunch with, review with, demo, retro',
    '日历 日程 会议 例会 开会 约会 站会 碰头 评审会 周会 面谈 开~会 碰个头 过会 对一下 会',
  ],
  [
    'create event invite meeting',
    'invite, set up a meeting, schedule a, arrange a meeting, get ~ together, organise a, put ~ in the calendar, block ~ for, put ~ with them, sit down with, meet with',
    '约~开会 约 邀请 安排一个 安排个 拉个会 拉会 定个会 组织一 叫上 请~参加 约个时间 凑一起',
  ],
  [
    'find free time people meeting',
    'free, available, slot, when can we, availability, suits everybody, all have time, both have time, find an hour, find a time, time for everyone, are all free',
    '有空 空闲 有时间 空档 哪个时间 合适的时间 都方便 什么时候方便 都有空 凑个时间 都在',
  ],
  [
    'room rooms meeting',
    'room, rooms, meeting room, conference room, boardroom, huddle, place to talk, place to meet, place for us',
    '会议室 房间 小黑屋 地方开会 地方开个会',
  ],
  [
    'list rooms seats equipment',
    'seats, projector, whiteboard, which rooms, room for ~ people, big enough for',
    '能坐 坐得下 座位 带投影 带视频 有投影 白板 视频设备 容纳',
  ],
  // People of a company.
  [
    'find employee name team skill phone office',
    'employee, colleague, coworker, who works, who knows, anyone here, anybody here, staff, where does ~ sit, desk of, extension of, phone of ~ in, speaks, speak, who can',
    '员工 同事 谁会 工位 分机 分机号 谁懂 坐在哪 哪个部门 办公室号 有人会 会说 内线',
  ],
  ['person people', 'person, people', '人员 联系人 用户'],
  [
    'leave vacation days left balance',
    'vacation, holiday, holidays, day off, days off, time off, annual leave, pto, days of leave, leave days',
    '休假 年假 放假 调休 假期 假 病假 事假 几天假 能休',
  ],
  [
    'request leave vacation sick',
    'take ~ off, want to be off, go on vacation, call in sick, i am ill, i am sick, sick leave, fever, wont be in, put me down for, feeling awful, doctor, off from, book ~ off, not coming in',
    '请~假 请假 请个假 休~天 申请~假 想休 生病 发烧 不舒服 看病 来不了',
  ],
  [
    'list absences absent vacation ill',
    'absent, absence, away, out of office, not in, off today, who is off, who is ill, who is out, on holiday, is ~ in today, is ~ off, who is on vacation, who else is',
    '请假了 谁请假 不在 没来 谁休假 缺勤 谁~假 没来上班 没上班 在不在 谁不在 出差了吗',
  ],
  [
    'payslip salary month',
    'payslip, salary, pay slip, wage, paycheck, did i earn, take home, my pay, deducted',
    '工资条 工资 薪水 薪资 工资单 到手 发了多少 扣了',
  ],
  [
    'org chart teams manages organisation',
    'org chart, manages, manager of, boss, report to, reports to, head of, heads the, leads the, structure of, supervisor, line manager, who runs, chain of command',
    '组织架构 归谁管 上级 领导 主管 汇报 谁管 老板 下属 谁负责 谁带 架构 顶头上司',
  ],
  // Documents and knowledge.
  [
    'file files',
    'file, files, document, documents, doc, pdf, spreadsheet, txt, md, docx, scan, scans',
    '文件 文档 资料 材料 附件 扫描件',
  ],
  [
    'search files',
    'on the share, on the drive, where did we put, where did we save, which document',
    '哪个文件 哪份文档 存哪 放在哪 共享盘 网盘',
  ],
  ['note minutes file document search', 'notes, minutes', '纪要 笔记 会议记录'],
  [
    'list directory folder files',
    'folder, directory, subfolder, in the folder, what is in',
    '目录 文件夹 底下有',
  ],
  ['handbook document search page', 'handbook, manual, guideline, policy', '手册 指南 制度 规定 规章 须知'],
  [
    'wiki page pages',
    'wiki, page, article, knowledge base, confluence, intranet',
    '知识库 维基 百科 词条 页面 wiki',
  ],
  [
    'search pages wiki',
    'how do we, how to, is it documented, documented somewhere, written down, how does one, instructions for, guide',
    '怎么弄 流程 教程 有没有写 文档里有',
  ],
  [
    'edit page wiki',
    'fix the page, wiki still, outdated, out of date, the page says',
    '页面~改 词条~改 wiki~改 写错了 过时',
  ],
  [
    'contract partner term notice',
    'contract, contracts, agreement, terms, notice period, nda, lease, license agreement',
    '合同 协议 合约 条款 保密协议 租约 期限',
  ],
  [
    'get contract end notice',
    'how much notice, when does ~ end, when does ~ expire, get out of, terminate, run out, renewal',
    '哪天到期 什么时候到期 期限 违约金 提前多久 续签',
  ],
  [
    'search contracts',
    'which contracts, any contracts, contracts with, signed with, contracts that',
    '签过合同 哪些合同 有没有合同 跟哪些',
  ],
  [
    'request signature sign contract',
    'signature, sign the, to sign, countersign, sign it, for signing',
    '签字 签名 签署 签一下 盖章 签个字 让~签',
  ],
  [
    'survey create questions people',
    'survey, poll, questionnaire, feedback form, vote on, ask everybody, ask everyone, find out what people, collect opinions',
    '问卷 调查 投票 征求意见 调研 反馈表 满意度 满不满意 填一下 收集意见 问问大家 意见',
  ],
  [
    'get survey results',
    'results of, outcome of the, what did people, what did everybody, how did people answer, responses, filled it in, who won, which ~ won, result of the vote',
    '调查结果 问卷结果 投票结果 反馈结果 怎么答 的结果 填了吗 填完了 问卷~结果',
  ],
  // Money.
  ['invoice', 'invoice, invoices, bill them, bill for, billing', '发票 账单 开票'],
  [
    'create invoice',
    'invoice them, bill them, charge them, send them a bill, write an invoice',
    '开票 开~发票 开张发票 给~开',
  ],
  [
    'list invoices paid unpaid',
    'paid us, unpaid, overdue, owe us, owes us, outstanding, not paid, still owe',
    '没付 未付 付清 欠款 逾期 结清 欠 没结 对账 付款 催款 没付款',
  ],
  [
    'file expense reimbursement claim receipt',
    'expense, reimburse, reimbursed, reimbursement, claim back, receipt, out of my own pocket, get ~ back for, want it back, like that back, i paid for, paid ~ for the taxi',
    '报销 垫付 打车费 餐费 差旅费 票据 小票 报一下 自己掏 贴的钱',
  ],
  [
    'get expense status claim',
    'my expense claim, my claim, claim for, is my expense, did my expense, reimbursed yet, got my money',
    '报销~批 报销~到 报销进度 那笔~批 报销单 那笔报销 交上去的',
  ],
  [
    'budget department left',
    'budget, money left for, spend on, spent so far, funds, afford',
    '预算 经费 花了多少 开支 额度',
  ],
  [
    'exchange rate currencies',
    'exchange rate, convert, currency, dollars in, in euros, worth in, to yuan, in yen, to dollars, how much is ~ in, usd, eur',
    '汇率 兑 换算 外汇 换多少 折合 美元 欧元 日元 能换',
  ],
]
