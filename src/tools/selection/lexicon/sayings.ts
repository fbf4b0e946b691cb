import type { Sense } from './sense.ts'

/** How people ask for common tasks without naming them. */
export const sayings: readonly Sense[] = [
  // A help desk.
  [
    'ticket create',
    'wont turn on, does not start, stopped working, keeps failing, keeps freezing, keeps disconnecting, acting up, is blocked, is clogged, no hot water, no internet, no power, too cold in, too hot in, light bulb, burst, is stuck, jammed, wobbly, blank page, blue screen, cannot log in, cant log in, cant connect, throws an error, needs a new battery, get someone to fix, have someone look at, send a technician, let facilities know, open a case, something is wrong with',
    '打不着 开不了机 死机 蓝屏 黑屏 断网 没网 没热水 跳闸 灯不亮 太冷了 空调 马桶 堵住 卡死 登不进 登录不了 进不去 找个人看看 找人看看 派个人 叫人来 出故障 修修',
  ],
  [
    'list tickets',
    'in the queue, on the backlog, tickets are still, unassigned, unresolved, on my plate, assigned to me, working on',
    '队列里 手上有 手上还有 没人认领 未解决 还没解决 我名下 待处理',
  ],
  [
    'update ticket',
    'bump ~ to, escalate, reassign, set ~ to done, put ~ on hold, is sorted, can close, close it',
    '改派 升级成 挂起 标成 已完成 关单 转成',
  ],
  [
    'get ticket',
    'what is up with, whats up with, where are we with, anything happen on, update on',
    '怎么样了 有回音 有没有下文 到哪步',
  ],
  [
    'comment ticket',
    'add to ticket, leave a comment, write under, put a note on ticket, let them know on the ticket, append to',
    '下面写 底下写 回一句 补一条 跟进一条',
  ],
  // Reminders and memory.
  [
    'set reminder',
    'in twenty minutes, in an hour tell me, tell me at, tell me when it is, remind, so i do not forget, dont let me forget, give me a nudge, buzz me, wake me up at, tap me on the shoulder, every morning tell, before i forget',
    '分钟后叫 小时后叫 到点告诉 别忘了提醒 喊一声 催我一下 每天早上叫 定个闹钟 定时提醒',
  ],
  [
    'list reminders',
    'what have i got coming up to be reminded, what did i ask you to remind, reminders are still, which reminders',
    '让你提醒 设了哪些提醒 还有什么提醒',
  ],
  [
    'cancel reminder',
    'do not remind me, no more reminder, drop the reminder, turn off the reminder, kill the reminder, stop nagging',
    '提醒取消 提醒删了 提醒关掉 不必提醒 提醒不用',
  ],
  [
    'remember memory',
    'for the record, keep in mind that, make a mental note, save that i, store that, i prefer, i like my, i always want, i am allergic, my favourite, call me, my pronouns, please always, you should know that, dont ever',
    '我喜欢 我习惯 我不吃 我过敏 我对~过敏 叫我~就行 默认用 帮我记 备忘 你得知道 请始终 以后别 我一般',
  ],
  [
    'recall memory',
    'what have you got on me, what is my usual, which ~ do i prefer, what was it i said, did i not say, have i ever mentioned, have i ever told you, you know my',
    '我喜欢什么 我平时 我一般~什么 我是不是说过 还记不记得 我有没有提过 我的偏好',
  ],
  [
    'forget memory',
    'delete what you know, scrub, drop everything you know, wipe your memory, no longer remember, remove from your memory',
    '从记忆里删 把~忘 清掉关于我 别再记 别记着',
  ],
  [
    'correct memory',
    'i am not ~ any more, i never said, thats outdated, not my, you mixed up, you still think, changed jobs, moved from, spelled wrong, that was last year',
    '你还以为 我没说过 弄混了 记混了 写错我 现在改了 我已经不 过时了',
  ],
  [
    'withdraw proposed',
    'scratch that, ignore that, i take that back, leave it, do not go ahead, dont go ahead, not after all, cancel that request, cancel the confirmation, forget what i just asked',
    '当我没说 不用你弄 先不做 别提交 那个确认取消 收回刚才 别办了 刚才那个不要',
  ],
  [
    'update plan',
    'skip step, tick off, step ~ is done, next on the list, plan this out, break it down, make a plan, change the plan, one after the other, in this order, add a step',
    '跳过第 第~步做完 下一步 列个计划 拆成 先做~再做 按顺序 一步步 加一步',
  ],
  [
    'read result',
    'scroll down, load more, where it stopped, remaining rows, remaining lines, continue the list, the second half, last part of, line ~ of that, search in that output, the other rows',
    '接着看 往下看 剩下的 后半 后面那些 余下 继续显示 第~页 还没看完',
  ],
  // Messages and mail.
  [
    'send message',
    'remind him, remind her, remind them, remind everyone, remind the team, say to, give ~ the message, tell the team, tell everyone, tell them, heads up to, pass it on to, relay, ask ~ whether, ask ~ if, ask ~ to, say sorry to, thank ~ for me, post it in, post this in, broadcast',
    '提醒他 提醒她 提醒他们 提醒大家 提醒一下他 提醒一下她 问问~要不要 问一下~能不能 替我谢谢 代我 捎句话 说句 喊一下 在群里 群里发 艾特 提醒一下~同事 催催 问~一声',
  ],
  [
    'search mail',
    'any mail from, anything from ~ in my inbox, hear back from, has ~ replied, did ~ reply, answered my mail, got a reply, receive anything from, the mail about, sent me last',
    '有没有回邮件 回信了吗 回我了吗 发来的邮件 有没有收到~邮件 收到回复 有没有来信',
  ],
  [
    'read mail',
    'what does the mail say, mail from ~ say, email from ~ say, read me the mail, open the attachment, the latest mail from',
    '邮件说 邮件写 念一下邮件 那封邮件 最新一封',
  ],
  [
    'send mail',
    'shoot ~ an email, reply to, answer the mail, mail them, email them, email ~ that, write an email, write a mail, cc, drop a mail, get back to ~ by mail',
    '回封邮件 发个邮件 写封邮件 回复邮件 抄送 邮件告诉 邮件通知',
  ],
  [
    'archive mail',
    'out of my inbox, move the mail, move that email, put that mail, mail ~ away, sort the mail, email ~ folder',
    '邮件收起来 邮件存到 邮件移 清一下收件箱 邮件~文件夹 把邮件',
  ],
  // The calendar.
  [
    'list events',
    'what does my day look like, my day, my week, whats on, what have i got, am i busy, when is my next, when is the next, how packed, am i free, what time is the, anything planned, who am i meeting',
    '我今天有什么 今天有啥会 下一个会 忙不忙 排了什么 有什么安排 几点开会 下周有哪些会 我有会吗',
  ],
  [
    'find free time',
    'when would ~ suit, when could we, when do we all, a gap in, overlap, good time for, find a date, find a slot, does ~ work for everyone, when are we all',
    '什么时间合适 哪天大家 哪天都 找个大家都 找个时间 凑时间 大家有空 几点都行',
  ],
  [
    'create event',
    'pencil in, block off, put something in, set aside an hour, set up a call, book time with, sit-down with, quick call with, grab coffee with, add to my calendar, let us meet, plan a session, schedule ~ with',
    '排一个 排个会 加到日历 放日历 碰一下 聊半小时 聊一小时 建个会 定个时间和 跟~聊聊 跟~碰 定一下会',
  ],
  [
    'update event',
    'push the meeting, push our, an hour earlier, an hour later, half an hour later, instead of ~ pm, move it to, move our, swap the, shift the, add ~ to the meeting, starts later, change the place, other room',
    '会议改 会改到 改到~点 往前挪 早一点开 晚一点开 晚半小时 早半小时 换到 加进会议 会挪 会推',
  ],
  [
    'cancel event',
    'meeting is off, call off the meeting, drop the meeting, meeting ~ cancelled, cancel our, not happening, remove ~ from the calendar, take ~ off the calendar, skip the meeting',
    '会不开了 会取消 例会取消 不用开会 取消~会 会议作废 日历上~删',
  ],
  // People of a company.
  [
    'find employee',
    'who do i talk to about, who do i ask about, who can help with, who is the expert, someone who knows, somebody who, which desk, what is ~ extension, how do i reach, number of our, who is in the ~ team, who sits, is there anyone who',
    '谁熟悉 谁比较懂 找谁 谁能帮 怎么联系 电话多少 谁是 哪位同事 谁在 坐哪 座位在哪',
  ],
  [
    'get org chart',
    'works under, who does ~ report, who is the head, who is ~ boss, who leads, structure of the department, teams are there, reporting line, direct reports, who is above',
    '手下有 谁是~领导 谁是~负责人 向谁汇报 领导是谁 有几个组 部门结构 谁带的 归哪个部门',
  ],
  [
    'get leave balance',
    'vacation days, how much holiday, how many days off, days do i still, leave do i have, holiday allowance, days left this year, carried over',
    '还有几天 剩几天 几天年假 假还剩 年假余额 还有假 能休几天',
  ],
  [
    'request leave',
    'i want to take, i would like to take, i need ~ off, id like ~ off, out next week, put in for leave, i wont be working, taking the day off, flu, hospital, parental leave, moving house so',
    '想休 要休 打算休 休年假 休几天 请半天 请一天 请三天 家里有事 住院 陪产假 不来上班 我要请',
  ],
  [
    'list absences',
    'who is here, who else is away, is anybody missing, is ~ around, in the office today, is ~ back, is ~ sick, when is ~ back, who is on leave, whos off, whos out, on leave',
    '谁没来 谁在休 谁病了 今天在吗 来了吗 休假的有 回来上班 谁请了 几个人请假 谁在家',
  ],
  [
    'get payslip',
    'pay stub, how much did i get paid, what did i make, tax deducted, my net pay, gross, bonus show, what was i paid',
    '税后 税前 实发 发工资 上个月工资 扣了多少税 奖金发',
  ],
  // Money.
  [
    'create invoice',
    'send ~ an invoice, make out an invoice, invoice for, bill ~ for, charge ~ for, we can bill, time to bill',
    '出发票 出账单 开个票 开票给 向~收费 要开发票',
  ],
  [
    'list invoices',
    'who owes, who has not paid, has ~ paid, have they paid, did ~ pay, still open invoices, late payers, unpaid bills, money coming in, past due, received payment',
    '谁没付 付了没 付了吗 付钱了吗 给钱了吗 到账 催账 欠我们 还没收 没结清 还没到账',
  ],
  [
    'file expense',
    'i paid, i spent, get my money back, want that back, on my own card, on my private card, with my own money, taxi receipt, hand in the receipt, submit my, put in the cost, claim ~ for the, cost me',
    '我付了 我掏 自己付的 我先付 花了~想 帮我报 打车花 车票 贴发票 交~费用 我买了',
  ],
  [
    'get expense',
    'has my expense, is my claim, when do i get my money, where is my reimbursement, expense ~ approved, expense ~ paid, my last claim',
    '报销到哪 报销下来 报销批了 什么时候打款 报销钱到 报销怎么还',
  ],
  [
    'get budget',
    'how much can we still, how much have we spent, over budget, within budget, what is left of, room in the budget, can we afford, money do we have',
    '花超 超预算 还能花 还有钱 钱还够 还剩多少预算 还剩多少经费 花掉',
  ],
  [
    'exchange rate',
    'pounds, yen, dollar, dollars, euros, euro to, rate between, francs, how many ~ for one, worth today, in local currency, rupees',
    '英镑 日币 韩元 人民币多少 值多少人民币 港币 等于多少人民币 美金 法郎',
  ],
  // Customers and sales.
  [
    'search customers',
    'which clients, do we have a client, do we have any customers, companies in, customer called, clients from, find the client, is ~ a customer of ours, customers named',
    '客户名叫 有没有叫 哪家客户 有没有客户 客户里有 是不是我们客户 有几个客户',
  ],
  [
    'get customer',
    'who do we deal with at, everything about ~ customer, what do we know about, customer file, customer record, contact person, our relationship with, pull up the client',
    '客户资料 客户档案 这个客户 和~合作 联系人是谁 客户信息 这家客户 跟~的往来',
  ],
  [
    'update customer',
    'customer moved, new phone number, new contact person, changed name, address is now, moved offices, switch owner, belongs to ~ now, update their',
    '客户搬 客户地址 客户电话 换了联系人 改成~跟进 客户换 更新客户',
  ],
  [
    'list deals',
    'what is in the pipeline, whats in the pipeline, what are we selling, closing this month, close this quarter, open deals, biggest deals, hot leads, deals of, stage',
    '快成的 快成交 在跟的单 本月能签 哪些单子 大单 跟进中的 销售机会 谈到',
  ],
  [
    'create deal',
    'new lead, is interested, wants to buy, want to buy, asked for a quote, asked for an offer, new opportunity, potential, they want',
    '想采购 想订 有兴趣 问价 询价 有个新客户想 有个机会 新线索 记个商机 想要~套',
  ],
  [
    'add note',
    'note that, jot down, for the file, write down that ~ customer, put in the crm, in the crm, after the call with, remember for the client',
    '记到客户 客户那边记 客户备注 crm里 在客户~下 记一笔 记录一下',
  ],
  // A shop.
  [
    'get order',
    'order number, what did ~ order, show me order, look at order, is ~ paid for, details for order, what items',
    '订单里 这单里 这个订单 订单详情 买的什么 单子里有',
  ],
  [
    'list orders',
    'orders from, orders of, what has ~ bought, orders did, how many orders, orders last week, orders yesterday, orders placed, came in today',
    '的订单 昨天的订单 今天有多少单 下了几单 下了哪些单 历史订单 最近的订单',
  ],
  [
    'refund order',
    'wants their money back, send the money back, faulty so, arrived broken, unhappy with, return and, partial refund, half the price back, credit them, reimburse, overcharged',
    '要求退 想退 收到坏的 碎了 有瑕疵 质量问题 赔给 多收了 不满意要 全额退',
  ],
  [
    'cancel order',
    'order by mistake, ordered twice, no longer wants, do not send, dont ship, stop the order, call off order, duplicate order',
    '下错 重复下单 不想买了 别发货 先别发 单子取消 订单不要 拍错',
  ],
  [
    'track shipment',
    'whereabouts, has ~ arrived, when will ~ arrive, when does ~ arrive, get here, turn up, been delivered, still in transit, shipped yet, out for delivery, lost in the post, on the way',
    '什么时候能到 什么时候到 几时到 还没收到 还没到 到货没 在路上 发了没 发货了没 卡在哪 到了吗 单号',
  ],
  [
    'get stock',
    'do we still have, any left, how many do we have, enough of, run out of, available in, units of, pieces of, left in, do we have enough, on hand',
    '还有吗 还有多少 剩多少 够吗 有没有货 几件 多少台 多少箱 仓里',
  ],
  [
    'reorder stock',
    'almost out of, nearly out of, top up, order another, get another, buy another, selling fast, need more of, fill up the',
    '快没了 快卖完 卖光 补一批 多进 进一批 补点货 再来一批 再订一批',
  ],
  [
    'search products',
    'is there a ~ in our range, what kinds of, which models, do we offer, do we have ~ for sale, cheapest, in our catalogue, something like, waterproof, products with, what brands',
    '有哪些款 有没有款 什么型号 卖什么 有卖~吗 有没有~卖 最便宜 哪几款 什么牌子',
  ],
  // Travel and weather.
  [
    'search flights',
    'fly to, fly from, fly out, get to ~ by plane, cheapest way to fly, direct flight, connections to, which planes, leaves ~ in the morning, red-eye',
    '飞到 飞往 飞去 坐飞机 最便宜的机票 早班机 哪趟飞机 直达 有哪些航班',
  ],
  [
    'search hotels',
    'somewhere to stay, where to stay, room for the night, overnight, bed and breakfast, near the fair, near the office for, need a bed, sleep',
    '住的地方 找住 住一晚 住三晚 过夜 落脚 附近住 宾馆',
  ],
  [
    'book trip',
    'book that, book it, reserve the, take the ~ flight, take the ~ train, buy the ticket, put me on, i take the second, confirm the flight, book the cheapest, reserve a seat',
    '就这趟 就订这 帮我买票 买张票 买票 定下来 就那个航班 订下 出票',
  ],
  [
    'get weather',
    'will it be, is it going to, wear, sunglasses, heat, storm, freezing, outdoor, barbecue, how hot, how cold, bring a coat, snowing',
    '会不会下 刮风 穿多少 冷吗 热吗 适合出门 台风 晒 雨 天晴 几度',
  ],
  [
    'find route',
    'fastest way, quickest way, how far is, get there, walk from, drive from, cycle, tram, underground, metro, how long is the, from here to, commute, which bus',
    '最快怎么 打车~多久 离~多远 骑车 走过去 坐几号线 从~到~多久 从~到~怎么 导航 堵不堵',
  ],
  // The house.
  [
    'list rooms',
    'rooms are there, any room with, room that fits, rooms with, biggest room, space for ~ people, does ~ room have, which room',
    '哪个房间 哪间 哪些会议室 大会议室 几人间 能容 有电视 哪间会议室',
  ],
  [
    'book room',
    'need a room, need the room, get us a room, a room for, room tomorrow, conference room for, reserve the, occupy, somewhere quiet to meet, sit together',
    '要个会议室 要间会议室 订会议室 会议室~订 占一间 找间 找个会议室 留一间 留个会议室',
  ],
  [
    'get menu',
    'whats for lunch, what are they serving, what can i eat, veggie option, vegetarian option, soup, pizza today, cook',
    '有什么好吃 今天吃 中午有 有没有素 几个菜 有没有鱼 饭堂',
  ],
  [
    'register visitor',
    'is visiting, comes in at, will visit, a candidate comes, arriving at our office, expect ~ at, at the entrance, sign ~ in, announce a, customer is coming to the office, delegation, coming over, let the front desk',
    '过来拜访 来我们公司 来访 要来公司 来面试 来参观 接待一下 门口登记 客人来 有客人',
  ],
  [
    'order supplies',
    'we are out of, out of pens, printer cartridge, coffee beans, sticky notes, envelopes, new chair, new keyboard, new mouse, new monitor, order ~ for the office, whiteboard markers',
    '没纸了 没笔了 用光了 买点 买些 订点 订一箱 领一 换把椅子 键盘 鼠标 咖啡豆 买几',
  ],
  // Documents and the wiki.
  [
    'search files',
    'where is the file, which file, find me the document, look for the document, somewhere in our files, in the files, file about, saved the, presentation we made, have a template, a copy of',
    '文件在哪 哪个文件 找份 找个文件 找那份 存在哪 模板 那份文件 资料里',
  ],
  [
    'read text file',
    'what is in the file, whats in the file, what does ~ md say, show me the file, open the file, read out, print the file, the readme',
    '文件里写 文件内容 打开文件 读文件 看下文件 readme 说明里',
  ],
  [
    'write file',
    'save this as, save it as, put it in a file, store this in, write it to, create a file, overwrite, into a text file, make a file',
    '存成文件 另存 写成文件 写入文件 存为 覆盖 保存到 存一份 存到文件',
  ],
  [
    'move file',
    'into the folder, to the archive folder, file is called ~ should, rename the, move the file, put the file, give the file another name, call it ~ instead',
    '文件移 文件挪 移动到 改个名 换个名字 名字改成 归档到 放进文件夹',
  ],
  [
    'list directory',
    'what is in the folder, whats in the folder, what files are, show me the folder, contents of the folder, content of the directory, which files are in, everything under',
    '文件夹里有 目录里有 目录下 文件夹下 有哪些文件 都放了什么',
  ],
  [
    'search pages',
    'anything in the wiki, is there a page, wiki page about, wiki say about, wiki for, where in the wiki, is there documentation, how does our, what is our policy on, what is the rule',
    'wiki有没有 wiki上~有 知识库有 有没有文档 有没有页面 哪里写着 咱们的规定 有没有写过',
  ],
  [
    'read page',
    'what does the wiki page, read the page, open the page, show the page, the page about ~ say, what the wiki says',
    '那页 那篇 打开~页 看~页面 页面内容 wiki里~怎么 这篇',
  ],
  [
    'edit page',
    'update the page, add to the page, correct the page, change the page, add a section, write in the wiki, put ~ in the wiki, add ~ to the wiki, page needs',
    '页面加 wiki里加 写到wiki 加到wiki 更新~页 补充到 页面改 改一下wiki',
  ],
  [
    'search contracts',
    'do we have a contract with, agreements with, which contracts, contracts end, contracts expire, any nda, contract about',
    '有没有合同 有什么合同 到期的合同 合同快到期 和~签的合同有哪些',
  ],
  [
    'get contract',
    'what does the contract say, how long does the contract, contract with, how long are we bound, cancel the contract with, when can we leave, penalty, in our agreement',
    '合同里 合同写 合同怎么 那份合同 合同期 签到什么时候 解约 合同条款',
  ],
  [
    'request signature',
    'get ~ to sign, has to sign, needs to sign, needs ~ signature, have ~ signed, send ~ to sign, for his signature, for her signature',
    '签一下 签个名 发给~签 给~签 去签 需要~签 电子签',
  ],
  // Words, pictures, sound, forms.
  [
    'translate text',
    'what is ~ in german, what is ~ in french, how do you say, put this into, same in english, mean in, whats that in, into spanish, into japanese, english version, what does ~ mean',
    '中文怎么说 用中文 用日语 翻成英文 翻成中文 英文版 中文版 换成英文 法文 德文 日语怎么说 什么意思',
  ],
  [
    'transcribe audio',
    'type up, type out, the recorded, recording of, voice note, what was said in, mp3, interview recording, podcast, text of the call',
    '录的音 录音整理 语音转 打成字 听打 转成文本 会议录音 采访',
  ],
  [
    'generate image',
    'make me a picture, show a ~ on a, illustrate, visual for, a cartoon of, avatar, wallpaper, background for, cover for, design a, an image',
    '来张图 做张图 弄张 出张图 做个封面 设计一张 设计个 卡通 壁纸 头图 配张',
  ],
  [
    'create survey',
    'what does everyone think, get opinions, let people vote, ask the team what, ask the whole company, who wants to come, doodle, collect feedback, rate the, questions for',
    '问大家 大家投 投个票 搞个投票 收集一下 统计一下大家 让大家选 问问全员 征集',
  ],
  [
    'get survey results',
    'how did the survey, how did the poll, survey turn out, poll turn out, what did the vote, answers to the survey, how many voted, who answered',
    '投票怎么样 问卷怎么样 问卷回收 投了多少 多少人填 大家怎么选 大家投 结果出来',
  ],
  // Software.
  [
    'search repositories',
    'is there a repo, which repo, repo for, have a repository, our repos, where does the code of ~ live',
    '哪个仓库 有没有仓库 仓库有哪些 有没有现成 代码放在哪',
  ],
  [
    'list pull requests',
    'open prs, prs are, any prs, what needs review, needs reviewing, waiting for me to review, prs of',
    '哪些pr 几个pr 有没有pr 等我评审 等着评审 待合并',
  ],
  [
    'get pull request',
    'what is in pr, look at pr, has ~ been reviewed, did anybody review, did anyone review, checks green, show me the diff, what did ~ say on my pr, comments on the pr',
    'pr怎么样 pr过 看看pr 有人看过 评审意见 diff 这个pr',
  ],
  [
    'create pull request',
    'open a pull request, make a pr, raise a pr, put ~ up for review, propose my changes, want ~ merged, branch is ready, is ready for review',
    '提一个pr 发个pr 发pr 提合并请求 分支好了 改好了提 提上去评审',
  ],
  [
    'merge pull request',
    'merge it, merge pr, land the, bring ~ into main, approved so merge, can be merged, put ~ into main, pull it in',
    '合了 合进主 合到主 合并掉 合主干 可以合',
  ],
  [
    'list commits',
    'what went into main, who committed, last commit, latest commits, what was changed, what has changed on, who pushed, pushed yesterday, what landed',
    '谁提交 最近提交 提交了什么 合了什么 最近的提交 谁推 昨天改了',
  ],
  [
    'search code',
    'where is ~ used, where do we use, who calls, grep, find all uses, occurrences of, defined in, in our code, in the code',
    '在哪定义 在哪用 代码里找 代码里搜 用到了 调用了 全局搜',
  ],
  [
    'create branch',
    'make a branch, start a branch, branch for, new branch, fork off, branch from, work separately',
    '新分支 开个新分支 分支出来 切一个分支 切分支 起个分支',
  ],
  [
    'list builds',
    'is the build, are the builds, how is the build, build ok, is main green, is master green, state of the pipeline, are we green, did ci',
    '构建怎么样 构建状态 ci过 流水线怎么样 构建成功 最近的构建 构建过',
  ],
  [
    'get build log',
    'why did the build, why is the build, what broke the build, build is red, build error, logs of the build, build number, output of the build, what went wrong in the build',
    '构建报错 构建挂 构建怎么红 ci挂 ci为什么 为啥构建 为啥挂 日志~构建',
  ],
  [
    'trigger build',
    'build the, run ci, rerun, re-run, run the tests, start the pipeline, build again, start ci',
    '跑一下流水线 重跑 跑ci 构建一次 打个包 打包 编译一下 跑一遍测试',
  ],
  [
    'deploy release',
    'push to prod, push it out, get ~ out, get ~ live, bring ~ live, release it, release version, release to, put ~ on staging, put ~ on production, update staging, ship version',
    '上生产 上预发 上线吧 发上去 发出去 推上线 推到线上 放到生产 更新到生产 发一版 发个版',
  ],
  [
    'rollback release',
    'go back to, undo the deploy, undo the deployment, restore the old, back to the old version, put the old version, broke production, broke everything, the version before, last working version',
    '退到上 换回 换回旧 回到上 恢复旧 老版本 旧版本 撤掉发布 上个版本 炸了',
  ],
  [
    'list alerts',
    'what is wrong, is anything on fire, any alarms, any alerts, everything ok with, anything red, what is down, which services are down, is the site down, outage, is production ok',
    '有什么问题 出什么事 有报警 有告警 挂了哪些 哪些服务 正常吗 还好吗 有没有报警 什么在报',
  ],
  [
    'query metrics',
    'how many errors, how many requests, over the last hour, last 24 hours, p95, p99, cpu of, memory of, disk usage, performance of, spike, load of, how long do requests, how is ~ performing, timeouts, response times',
    '最近一小时 最近半小时 过去一天 多少请求 多少错误 请求量 多高 cpu 内存 磁盘 性能 耗时 多少超时 飙 qps',
  ],
  [
    'silence alert',
    'shut the alert, alert ~ off for, mute the, stop the alarm, stop the alert, turn off the alarm, we know about it, known problem, ignore the alert, no alarms for, during the maintenance',
    '别让它报 告警关 先关告警 告警停 别叫了 报警先 警报关 吵死 维护期间 知道了先',
  ],
  [
    'search logs',
    'in the logs, logs of, any errors in, stack traces, exceptions, what did ~ log, logged, look through the logs, log for, log of the service, did ~ service, time-outs in, error in',
    '日志里 翻日志 看日志 异常堆栈 打了什么日志 有没有报错 有没有异常 错误日志 报错有',
  ],
  [
    'list pods',
    'which pods, how many pods, pods are, pods running, crash looping, crashloop, containers running, in the namespace, pod keeps',
    '几个pod 哪些pod 容器状态 pod状态 容器跑 有没有pod 重启了几次',
  ],
  [
    'restart deployment',
    'restart the, give ~ a kick, kick the, is hanging, not responding, is frozen, bounce the, recycle, restart service',
    '重启下 重启一下 卡住了重启 没响应 假死 拉起来 重新拉',
  ],
  [
    'scale deployment',
    'more pods, more replicas, more instances, to ~ replicas, handle the load, expect more traffic, cut down to, reduce to, only need ~ replicas, double the',
    '多加几个 加几个实例 增加副本 减到 扩一下 扩个 缩到 翻倍 撑不住 顶不住',
  ],
  [
    'run query',
    'how many customers, how many orders per, how many sign, average, total revenue, sales per, sales last, top ten, top 10, grouped by, number of, from the database, compare ~ with last year, trend, query the, select',
    '平均 总额 前十 排名 同比 环比 按地区 按国家 多少用户 新增 每个月 跑一下数据 从数据库 查下数据 拉数据 拉个数',
  ],
  [
    'list tables',
    'which tables, what tables, tables in, columns of, fields does, structure of the table, schema of, data model',
    '哪些表 有什么表 表里有 表有哪些 什么字段 字段有',
  ],
  [
    'find tools do here',
    'what are you good for, what can i ask you, which tools, your features, your skills, capabilities, who are you and what, help me with what',
    '能问你什么 你有哪些 你都会 你能干 有哪些功能 怎么用你 能帮忙 会干什么',
  ],
]
