import type { Reading } from './english.ts'
import type { Primary } from './intent.ts'

type Rule = readonly [pattern: RegExp, primary: Primary, confidence: number]

const things =
  '工单|单子|提醒|会议室?|邮件|消息|通知|日程|邀请|订单|报销单?|申请|公告|任务|待办|预约|预订|周报|月报|报告|信|评论|备注|问题|bug|issue|ticket'
const changing =
  '顺延|往[前后](?=\\S)|加(?!班|油|个|一|条|强|急|入|进|到|快|薪|热|载|密|拿)|设[高低大小]|控制在|限制在|保持在|缩到|限定|改过来|改正|改成|改为|改(?=[一二三四五六七八九十两\\d])|改到|改至|改一?[下改]|改个|改名|换成|换到|换为|换个|换一?下|换掉|调到|调成|调整|调高|调低|调大|调小|调至|调一?下|挪到|挪至|挪一?下|移到|移至|推迟|延后|延期|延长|延到|延迟|提前|缩短|往[后前](?:推|挪|移|调)|[后前]移|设为|设成|设置为|设置成|设定为|定为|定在|标记?为|标成|标记成|指派给|分配给|指给|派给|转给|移交给?|交给|转成|转为|转到|变成|变更|变为|重命名|更名|更新|修改|更改|编辑|修正|加到|加进|加入到|添加到|补充|补上|放宽|放到|降低|提高|升级|降级|升到|降到|降为|升为|增加到|减少到|减到|加到|合并|拆分|润色|精简|删减|替换|调换|对调|交换|重新打开|重开|重新(?:分配|指派|命名|安排)|关闭|关掉|关了|关上|结案|解决掉|置为|完成掉'
const undoing =
  '取消|撤[回销掉了]|撤吧|停了|停吧|撤单|删[掉除了]?|作废|退[掉订了]|清[空除掉]|移除|拿掉|踢出|移出|剔除|划掉|废弃|终止|中止|停止|停掉|收回|回滚|还原|解除|注销|叫停'
const looking =
  '查(?!收)|看(?!好|家)|瞅|瞧|翻一?下|盯一?下|搜|找(?!人|个人|师傅)|列|显示|展示|告诉我|跟我说|和我说|说一?[下说]|讲一?[下讲]|介绍|解释|说明|总结|概括|归纳|汇总|梳理|对比|比较|统计|算|计算|数一?[下数]|读|念|翻译|分析|检索|确认一?下|核实|核对|检查|了解|问问你|回顾|追踪|跟踪|浏览|打开看|刷新|拉取|拉一?下|给我(?=.*(?:数据|列表|清单|报告|资料|信息|地址|链接|看|说|讲))|评估|估算|预览|导读|盘点|调取|获取|取一?下'
const doing =
  '建(?!议)|创建|新建|开(?:个|一个|张|一张|通|设)|提(?:个|一个|交|一张|张|单|报)|发(?!现|生|票|货|愁|烧|展)|寄|写|起草|草拟|拟|拟定|订(?!单)|预订|预约|预定|约|安排|买|下单|购买|采购|申请(?!单|表|人|书|状态|进度|结果)|报名(?!表|人数|费)|登记|注册|请假|邀请(?!函|名单|人数)|邀约|通知(?!书|单|栏)|提醒(?!事项)|告知|告诉|转告|转达|转发|抄送|回复|回(?=他|她|信|邮|一下)|答复|联系(?!方式|人|电话|地址|信息)|叫|喊|催|问(?!题|你)|询问|打(?:个|电话|车|印(?!机|店|纸))|拨|支付|付|付款|转账|批准|审批|上传|下载|分享|共享|发布|张贴|公布|生成|制作|做(?:个|一[个份下])|制定|跑|运行|执行|启动|部署|设(?:个|一个|置|定)|加(?:个|一|条)|添加|增加|记(?:个|一笔)|导出|打印(?!机|店|纸)|备份|派|订购|续|报修|报(?:个|一下|案)|租|排(?:个|一)|请(?=一?[天半两三个]|[\\d一两三半]+天)|开通|组织|召集|召开|整理|保存|存(?:成|到)|@|艾特|约(?:个|一)|重试|再(?:发|试|做|跑|来|打|说|问|建|催)|重新(?:发|试|做|跑|执行|来|建|生成|提交)|同样(?:的)?(?:操作|处理)|照(?:着|样)|办(?:一|个|理)|搞(?:一|个|定)|弄(?:一|个|份)|来(?:一|个|份)|送(?!达)|捎|带(?:个|句|一)|抢(?:一|个|张|两)|占(?:个|住|用)|复印|打扫|维修|修(?:一|下|好)|升级给|聊聊|安装|上报|汇报|反映|投诉|举报|装(?:一|个|上)|重启|开启|启用|购置|领(?:一|取|两)|借(?:一|个|我)|接(?:一|送)|取(?:一?个|快递)|换(?:一|个|新)|搬|腾|留(?:个|一)|拉(?:个|一个)|建(?:个|群)|投票|组(?:个|织|团)|找(?:人|个人|师傅)|派人|帮(?!大忙|了)|开始(?!时间|日期|于)|转(?=[一二三四五六七八九十百千万两\\d])|报(?=了)'
const asked = '(?:[吗么嘛呢没不]|没有|了没|没呢|了吗)[呀啊]?[?？。~～]*$'
const asking =
  '什么|啥|谁|哪|怎么|来着|怎样|怎么样|如何|为什么|为何|为啥|多少|多久|多长|多大|几(?:点|个|天|号|次|月|时|位|条|张|份|人|岁)|是不是|有没有|能不能|会不会|要不要|行不行|对不对|好不好|是否|可否|何时|何地|干嘛|咋|(?<aa>\\p{Script=Han})不\\k<aa>'
// A part of the sentence that stands before its verb.
const before =
  '(?:(?:剩下|其余|其他|剩余|全部|所有)的?)?(?:(?:把|将|给|跟|向|对|和|在|用|为|从|由|替|让|按|往|帮|以|关于|针对|@)[^，。,；;!?！？]{1,24}?)?'

const at = (words: string) => new RegExp(`^(${before}(?:都|也|再|就|先|一起|赶紧|马上)?)(?:${words})`, 'iu')
const verbs = {
  undoing: at(`${undoing}|cancel|delete|undo`),
  changing: at(changing),
  looking: at(`${looking}|show|check|list|find`),
  doing: at(doing),
}

// 提醒往后推: the verb is a noun here.
const nounHere = new RegExp(
  `(?:提醒|预约|预订|预定|通知|邀请|申请|安排|订单|报名|建议|回复|投票|导出|迁移|部署|打印|评审|发布)(?=的?(?:${changing}|${undoing}))`,
  'gu',
)

const memory = '(?:记忆|记录|记得|记住|记的|记着|印象|脑子|(?:存|保存|留存|记下)(?:着|下来?)?的)'

const rules: readonly Rule[] = [
  [/^(?:忘[掉记了]?它?吧?|别管了?|随它去)[吧。！!]*$/u, 'cancel', 0.7],
  [/^(?:别|不要|不许|千万别|可别|勿)忘(?:记|了)?(?!掉)/u, 'remember', 0.85],
  [
    /(?:别|不要|不用|不必|停止|不许|无需|不想(?:让|要)你|不希望你)(?:再|继续)?(?:记住?|记得|记着|保存|存储|留着|记录)(?!性)/u,
    'forget',
    0.9,
  ],
  [
    new RegExp(
      `(?:删|清|抹|移除|去掉|擦|忘|不要了).*${memory}|${memory}.*(?:删|清[除空掉]|抹|去掉|忘|不要了|移除|擦)`,
      'u',
    ),
    'forget',
    0.9,
  ],
  [
    /^(?:你|您)?(?:可以)?(?:忘[掉记了]|抹[掉去]|忘却)|(?:把|将).*(?:忘[掉了记]|抹掉)|[，,；;。\s](?:请|你|就|快)?(?:忘[了掉]吧?|忘记(?:它|这个|吧))[。！!吧]*$|^.{2,}(?<![我他她])(?:都|就|全)忘[掉了记](?:吧|了)?[。！!]*$|^.{3,}忘(?:掉|了吧|记吧)[。！!]*$|^forget/iu,
    'forget',
    0.9,
  ],
  [
    /^(?:你|您)?(?:还)?(?:记得|记不记得|知道|了解)(?!要).*(?:[吗么?？]|什么|啥|谁|哪|多少|怎|几)|还?有印象[没吗]/u,
    'query',
    0.85,
  ],
  [
    /^(?:请|要|得|你要|你得)?(?:牢)?(?:记[住得着下]|记一[下记]|记下来|备忘|记好|记清楚|记录一下)(?!什么|我什么)|^remember/iu,
    'remember',
    0.9,
  ],
  [
    /(?:，|,|。|；|\s)(?:请|你|要|帮我|麻烦)*(?:记住|记下来?|记着|记一下|记好)(?:哦|了|啊|吧|这个|这点|这一点|一下|它|呀|哈)*[。！!~]*$/u,
    'remember',
    0.9,
  ],
  [
    /^(?:以后|今后|从现在(?:开始|起)|从今(?:天|往后|以后)(?:起|开始)?|往后|将来|下次|下回|每次|每当|凡是|只要我|一律|永远|始终|总是|默认)/u,
    'remember',
    0.85,
  ],
  [/^[^，。？?]{1,8}(?:以后|今后|往后|将来)(?:都|就|请|要|别|不要|一律|全)/u, 'remember', 0.75],
  [/(?:你(?:心里)?有个?数|你知道(?:一下|就行|就好)|你留意|你注意一下|你了解一下)[。！!]*$/u, 'remember', 0.7],
  [/从(?:你|您)(?:那儿|那里|这儿|这里|的\S{1,6})?(?:里|中)?(?:删|抹|清|去)/u, 'forget', 0.85],
  [/^(?:存一?下|存着|保存一?下|留个底|记个)[：:]/u, 'remember', 0.8],
  [
    /^我(?:比较|更|一直|都|只)?(?:喜欢|偏好|习惯|倾向)(?:用|看|简|别人|大家|直接|先|每次|被)/u,
    'remember',
    0.65,
  ],
  [
    /^给我(?!建|发|订|约|提|做|写|买|设|加|开|打|叫|来|办|弄|安排|预|申请|报|派|找|寄|送|倒|留|换|请|准备|下单)/u,
    'query',
    0.75,
  ],
  [
    /^[把将]?[^，。]{0,16}从(?!.*(?:日历|日程|记忆|你那)).+(?:去掉|移除|删掉|删除|拿掉|剔除|踢出|移出|划掉)/u,
    'modify',
    0.85,
  ],
  // Undoing comes before questions: "别发了" asks nothing.
  [/^(?:算了|算啦|罢了|不用了|停(?:下来?|一下|止)?$|打住|够了)/u, 'cancel', 0.85],
  [/^(?:不(?:要|用)|别|甭|勿)(?:用|使用|看|读|取|拿|从|给我).*(?:缓存|旧|之前|上次|过时)/u, 'query', 0.8],
  [
    /^(?:别|甭|勿|不要|先别|先不要?|先不用|暂时别|暂时不要?|还是别|还是不|不必|不用|不需要|无需)(?!客气|担心|着急|急|介意|谢|紧张|难过|好意思)/u,
    'cancel',
    0.8,
  ],
  [
    /^(?:我|我们|咱)(?:们)?(?:不(?!知|清|懂|明|太|是|会|舒服|开心|高兴|同意你)|改(?:了)?主意|又不想|反悔)/u,
    'cancel',
    0.75,
  ],
  [/^不\S{1,3}了(?:不\S{1,3}了)*[。！!]*$|(?:会|会议|行程|订单|预约)不\S{1,2}了/u, 'cancel', 0.8],
  // Doing again, and in another form.
  [/^(?:再|重新|重)(?:来|试|做|跑|发|执行|运行|提交|生成|弄|搞)(?:一?[遍次下]|吧|$)?/u, 'action', 0.85],
  [
    /^(?:用|以|按)[^，。]{1,16}(?:形式|格式|方式|语言|英文|英语|中文|要点|表格|列表|三句话|一句话)[^，。]*(?:列|总结|显示|展示|说|写|给我|概括|回答)/u,
    'query',
    0.75,
  ],
  [/^(?:换|改|转|变)成?(?:表格|列表|要点|图表|中文|英文|英语|简短|markdown|json|csv)/iu, 'query', 0.7],
]
const late: readonly Rule[] = [
  [
    /^[^，。？?]{1,14}(?:先|就|都|暂时|也)?(?:(?<![错特区级类性分个识])别|不要|不用|不必|甭)(?:再)?(?!是|说|看|想|能|会)\S{1,4}(?:了|吧|啦)*[。！!]*$/u,
    'cancel',
    0.7,
  ],
  [/(?:一律|统一|每次都|都要先|永远|始终)/u, 'remember', 0.65],
  [
    /(?:标题|优先级|负责人|截止日?|日期|时间|状态|金额|地点|地址|收件人|描述|名称|名字|主题|数量|备注|级别|人数)(?:应该|应|要|得|需要)(?:是|为|写|改|填|叫)/u,
    'modify',
    0.65,
  ],
  [
    /(?:做(?:个|一个|张|份|一份)|打印(?!机|店|纸)|复印|发给|转发给|抄送|寄给|送给|上传到|分享给|发一?份|订(?:一|两|三)|约(?:在|到))(?!.*[吗？?])/u,
    'action',
    0.65,
  ],
  [/(?:查|看|搜|找|核实|确认|核对)(?:一下|下|查|看|找)[。！!]*$/u, 'query', 0.7],
  [/给\S{1,6}(?:做|处理|负责|跟进|办)(?:吧|了)?$/u, 'modify', 0.6],
  [new RegExp(`(?:${changing})`, 'u'), 'modify', 0.75],
  [/(?:把|将).+(?:改|换|调|转|变|挪|移|加|减|缩|延|放|关|开|标|设)/u, 'modify', 0.7],
  [/从.+(?:里|中|上)?(?:去掉|移除|删掉|删除|拿掉|剔除)/u, 'modify', 0.8],
  [
    /(?:再|更|稍微?|略)?(?:友好|正式|简短|详细|短|长|早|晚|高|低|大|小|多|少|简洁|具体|委婉)(?:一点|一些|点儿?|些)(?:吧|儿)?/u,
    'modify',
    0.65,
  ],
  [new RegExp(`(?:${undoing})(?:了|掉|吧|一下)*[。！!]*$`, 'u'), 'cancel', 0.7],
  [/(?<!\S改)改(?!主意|天|日|善|进|观|革)\S/u, 'modify', 0.6],
]
const statements: readonly Rule[] = [
  [
    /^(?:给|来|要)(?:我)?(?:个|一个|份|一份|张|一张|下).*(?:数据|总额|数字|清单|列表|名单|汇总|概况|说明|链接|地址|电话|资料|报表|明细|统计|结果|答案|建议)[。！!]*$/u,
    'query',
    0.65,
  ],
  [/^(?:我|我们)?(?:需要|想要|要|来)(?:一|个|两|三|几|张|份|开|提|订).*/u, 'action', 0.7],
  [new RegExp(`^(?:新|另)(?:的|一个)?(?:${things})`, 'u'), 'action', 0.75],
  [
    /^(?:最新|全部|所有|本月|本周|今天)?的?.{0,12}(?:状态|进度|进展|情况|详情|明细|列表|名单|清单|数据|内容|结果|消息)[。！!]*$/u,
    'query',
    0.6,
  ],
]

/** Reads a clause with Chinese in it, without what leads up to it. `isAsked` says that the words ask for it to be done. */
export function readChinese(clause: string, isAsked: boolean): Reading | undefined {
  const text = clause.replace(/\s+/g, ' ').trim()
  const rule = first(rules, text)
  if (rule) return { ...rule, opens: isAsked || opening(text) !== undefined || rule.primary !== 'query' }
  const opened = opening(text)
  const wish = wished.exec(text)
  const wishes = wish && !isAsked ? opening(wish[1] ?? '') : undefined
  if (wishes && wishes !== 'query') return { primary: wishes, confidence: 0.8, opens: true }
  const isQuestion =
    new RegExp(asking, 'u').test(text) || new RegExp(asked, 'u').test(text) || /[?？][\s"”]*$/.test(text)
  // 能不能改到四点？ is a wish; 打印机修好了吗 a question, though 修 is a verb.
  if (isQuestion && !isAsked) {
    if (opened && !new RegExp(asked, 'u').test(text))
      return { primary: opened, confidence: 0.75, opens: true }
    if (opened === 'query' || (opened === 'action' && /^(?:问|告诉|通知|提醒|跟|给|叫)/u.test(text))) {
      return { primary: opened, confidence: 0.75, opens: true }
    }
    return { primary: 'query', confidence: 0.85, opens: false }
  }
  if (opened) return { primary: opened, confidence: 0.85, opens: true }
  const other = first(late, text) ?? first(statements, text)
  if (other) return { ...other, opens: isAsked }
  if (isQuestion) return { primary: 'query', confidence: 0.7, opens: false }
  // 把票据报了: whatever the verb means, something shall be done to it.
  const handled = isAsked || /^[把将][^，。？?]{3,}/u.test(text)
  return handled ? { primary: 'action', confidence: 0.55, opens: true } : undefined
}

const tells = /^(?:跟|和|对|向|给|同)(?!我|咱)[^，。,]{1,12}?(?:说(?!明)|讲|交代|打(?:个)?招呼|道歉)/u

// 会议能不能改到四点: what it is about stands before the asking.
const wished = /^[^，。,]{1,14}?(?:能不能|可不可以|能否|可否|是否可以|可以)(.+)$/u

/** What the clause's first verb, or that behind 把… or 给…, asks for. */
function opening(clause: string): Primary | undefined {
  const text = clause.replace(nounHere, '事')
  if (tells.test(text)) return 'action'
  if (/^(?:告诉|跟|和|给)我(?:说|讲|看)?/u.test(text) && verbs.looking.test(text)) return 'query'
  const start = (verb: RegExp) => verb.exec(text)?.[1]?.length
  const found = (
    [
      ['cancel', start(verbs.undoing)],
      ['modify', start(verbs.changing)],
      // 把会议总结发给他: what is looked at stands before the verb.
      ['query', /^[把将]/u.test(text) ? undefined : start(verbs.looking)],
      ['action', start(verbs.doing)],
    ] as const
  ).filter(([, place]) => place !== undefined)
  const earliest = found.toSorted(([, a], [, b]) => a! - b!)[0]
  return earliest?.[0] ?? (verbs.looking.test(text) ? 'query' : undefined)
}

function first(list: readonly Rule[], text: string): { primary: Primary; confidence: number } | undefined {
  const found = list.find(([pattern]) => pattern.test(text))
  return found && { primary: found[1], confidence: found[2] }
}
