import type { Sense } from './sense.ts'

/** Customers, goods, travel, the house, words and pictures. */
export const trade: readonly Sense[] = [
  [
    'customer customers client',
    'customer, customers, client, clients, account, buyer, company we sell',
    '客户 顾客 买家 甲方',
  ],
  [
    'search customers',
    'who do we sell to, customers in, which customers, any clients in, clients in',
    '有哪些客户 哪些客户 客户有哪些',
  ],
  [
    'get customer contacts history',
    'contact at, contacts at, who is our contact, know about them, history with, background on, tell me about the client',
    '对接人 打过什么交道 底细 客户~情况 往来 联系人',
  ],
  [
    'update customer address phone owner',
    'has moved to, new address, new phone, changed their, now has the number',
    '新地址 新电话 搬到 换了电话 联系电话 号码改 地址改',
  ],
  [
    'list deals pipeline stage',
    'deals, pipeline, funnel, opportunities, about to close, forecast, in negotiation',
    '商机 销售管道 销售漏斗 漏斗 快签 在谈 单子快',
  ],
  [
    'create deal customer',
    'deal, opportunity, lead, prospect, wants ~ licences, interested in buying, put ~ in the pipeline',
    '商机 线索 意向 想买 有意购买 成交 机会',
  ],
  [
    'add note customer deal',
    'add a note, note that the customer, log a call, note to',
    '跟进记录 记到客户 客户~备注 备注一下客户',
  ],
  ['order', 'order, orders, purchase, bought, ordered', '订单 下单 买的 这单 那单 的单 单号'],
  [
    'get order items payment',
    'what was in, what is in the order, items in, whats in',
    '单~有啥 单~有什么 里面都有 里面本来 买了些什么 付款了没',
  ],
  [
    'list orders customer dates',
    'has ~ bought, what has ~ ordered, bought from us, all orders, order history',
    '买过什么 买过哪些 订过 所有订单 下过哪些',
  ],
  [
    'refund order',
    'refund, money back, pay back, give ~ their money, return the money, compensate, pay ~ back',
    '退款 退钱 退掉 退货 把钱退 退~钱 返还 退~给他 退~给她 退一半',
  ],
  [
    'cancel order shipped',
    'not been shipped, has not left the warehouse, has not left, does not want it',
    '还没发货 没发货 不要这单 取消~单',
  ],
  [
    'track shipment parcel delivered',
    'track, parcel, package, shipment, delivery, delivered, courier, arrive, where is my order, not arrived, tracking',
    '包裹 快递 物流 送到 配送 运到 寄到 签收 送货 收到货 到哪儿了 到哪了 到哪里了 走到哪 发出来',
  ],
  [
    'stock pieces product warehouse',
    'stock, in stock, inventory, units, sold out, on the shelf, warehouse, enough of, how many ~ do we have, have we got enough, do we still have',
    '库存 存货 有货 缺货 仓库 现货 断货 还有多少台 还有多少件 够不够卖',
  ],
  [
    'reorder stock supplier more',
    'reorder, restock, running low, order more, get ~ more, replenish, from the supplier, more from',
    '采购 补货 进货 再订 再进 追加 再补 找厂家 供应商~进 卖断货',
  ],
  [
    'search products catalogue',
    'product, products, catalogue, do we sell, we sell anything, goods, range',
    '商品 产品 货品 型号 商品目录 卖不卖 有卖 有没有卖',
  ],
  // Travel.
  ['search flights cities date', 'flight, flights, fly, plane, airline, flying', '航班 机票 飞 飞机 直飞'],
  [
    'search hotels nights city',
    'hotel, hotels, stay, accommodation, place to stay, nights, sleep in, airbnb',
    '酒店 宾馆 住哪 住宿 旅馆 民宿 住两晚 晚上住 住几晚 落脚',
  ],
  [
    'book trip flight hotel employee',
    'book me, get me on it, i will take the, book the flight, book ~ of them, window seat, aisle seat',
    '订机票 订酒店 订票 订那班 靠窗 帮我订~航班 就订 改签',
  ],
  [
    'find route travel time places',
    'route, how do i get, way to, directions, how long ~ take to get, how long does it take, drive to, get from ~ to, distance, by train, by car, walk to',
    '路线 怎么走 怎么去 怎么到 多远 多久能到 开车 坐车 要多久 地铁 走多久',
  ],
  [
    'get weather forecast city',
    'weather, forecast, rain, raining, sunny, temperature, snow, umbrella, degrees, wind, jacket',
    '天气 气温 预报 下雨 下雪 温度 带伞 冷不冷 热不热 多少度 晴 穿什么',
  ],
  // The house.
  [
    'get menu lunch canteen',
    'lunch, menu, canteen, cafeteria, something to eat, food today, dish of the day',
    '食堂 午饭 午餐 菜单 吃什么 吃啥 有什么菜 伙食',
  ],
  [
    'register visitor reception',
    'visitor, visitors, guest, guests, reception, front desk, badge, coming by, comes by, coming to see us, comes to visit, let them in',
    '访客 来访 前台 来宾 拜访 登记一位 来公司 门禁 进门',
  ],
  [
    'order supplies office paper pens chairs',
    'supplies, paper, pens, toner, stationery, office chair, chairs, staples, notebooks, markers, printer ink, post-its, out of coffee',
    '办公用品 文具 打印纸 a4纸 笔 椅子 墨盒 硒鼓 耗材 再买 买一盒 买一箱 用完了 便利贴',
  ],
  // Words, pictures, sound.
  [
    'translate text language',
    'translate, translation, in english, in german, in chinese, into english, into german, into french, into chinese, in french, in japanese, in spanish, mean in english',
    '翻译 译成 翻成 译 英文 用英语 英语怎么说 日文 法语 德语 英文怎么说 什么意思',
  ],
  [
    'transcribe audio recording speech text',
    'transcribe, transcript, recording, voice memo, voice message, audio, dictation, into text',
    '录音 转写 转成文字 语音 听写 转文字 整理成文字 音频 变成文字',
  ],
  [
    'generate image description',
    'image, picture, draw, illustration, logo for, drawing, sketch, paint, poster, icon for, banner, artwork',
    '图片 图像 画一 画个 画张 画 插画 配图 海报 图标 封面 头像 一张图',
  ],
  // What other systems of a company may be about.
  ['graph entity relation knowledge', 'knowledge graph, entity, relation', '图谱 实体 关系'],
  ['time current', 'what time, what day', '几点了 现在几点 今天几号'],
  ['timezone time convert', 'time zone, local time', '时区 当地时间'],
  ['web page url fetch', 'website, web page, url, link', '网址 网页 链接 网站'],
  ['news', 'news about, headlines', '新闻 头条'],
  ['task project', 'task, to-do, todo, backlog, sprint, epic', '任务 待办 迭代'],
  ['spreadsheet sheet row cell', 'spreadsheet, sheet, cell, excel', '电子表格 单元格 表格'],
  ['slide presentation', 'slides, presentation, deck', '幻灯片 演示文稿'],
  ['map location', 'map, nearby', '地图 附近'],
  ['subscription billing', 'subscription', '订阅 套餐'],
  ['candidate interview', 'candidate, applicant, interview, hiring, cv', '候选人 应聘 面试 招聘 简历'],
  ['course training', 'training, course', '培训 课程'],
  ['device asset', 'laptop, device, hardware', '电脑 设备 资产'],
  ['password account access', 'password, login, access to, permission', '密码 账号 权限 登录'],
  ['parking car', 'parking, car', '停车 车位'],
]
