import type { Words } from '../search/words.ts'

// Each takes out of a statement what it is about; a later statement about the same thing replaces it. Where a
// person may have many (things liked, allergies), the thing itself belongs to the subject.
const shapes: readonly { readonly pattern: RegExp; readonly key: string }[] = [
  {
    pattern: /\b(?:call|address) me\b|\bmy name is\b|^(?:请)?(?:叫我|称呼我)|我(?:的名字)?叫|我的名字是/i,
    key: 'name',
  },
  {
    pattern:
      /\b(?:answer|reply|respond|write|speak|talk)\b.{0,40}\b(?:in|using) (?:english|chinese|german|french|spanish|japanese|mandarin)\b|(?:用|以|说|讲)(?:中文|英文|英语|汉语|日语|德语|法语)/i,
    key: 'language of answers',
  },
  {
    pattern:
      /\bi(?:['’]m| am)?(?: now| just| currently)? (?:live|living|based|moved to)\b|我(?:现在|目前)?(?:住|搬到|定居)/i,
    key: 'home',
  },
  {
    pattern:
      /\bi(?: now| currently)? (?:work (?:at|for)|joined)\b|我(?:现在|目前)?在\S{1,12}(?:工作|上班)|我(?:加入|跳槽到|入职)/i,
    key: 'employer',
  },
  {
    pattern:
      /\b(?:i|we)(?: \w+)? (?:(?:don['’]t|do not|no longer|can['’]t) )?(?:like|love|enjoy|hate|dislike|stand)\b (?<thing>[^,.;]+)/i,
    key: 'taste',
  },
  {
    pattern:
      /我(?:\S{0,4}?)(?:不再|不)?(?:喜欢|爱|讨厌|受不了)(?<thing>[^，。；,.;]+?)(?:了)?(?:[，。；,.;]|$)/,
    key: 'taste',
  },
  {
    pattern: /\b(?:no longer )?allergic to (?<thing>[^,.;]+)|对(?<thingChinese>\S{1,12})(?:不再)?过敏/i,
    key: 'allergy',
  },
  {
    pattern: /\bi (?:(?:now|usually|always) )?prefer (?<thing>.+?) (?:over|to|rather than|instead of)\b/i,
    key: 'preference',
  },
]
// "my favourite colour is …", "the demo moved to …": what stands before the verb.
const before =
  /^(?:(?:no|actually|correction|so|and|well|now)[,:]?\s+)*(?<about>(?:my|our|the|his|her|their|[\p{L}\d][\p{L}\d'’-]*)(?:\s+[\p{L}\d'’&/-]+){0,7}?)\s+(?:(?:now|also|actually)\s+)?(?:is|are|was|were|will be|has been|have been|has moved|moved|moves|has changed|changed|changes|lives|works|starts|ends|takes place)\b/iu
const beforeChinese =
  /^(?:不对|更正|其实|现在|那|错了|你记错了)?[，,：:]?\s*(?<about>[^，。,.；;：:]{1,24}?)(?:现在|已经|已)?(?:不是|是|叫|为|在|定在|改到|改在|改为|改成|变成|换成|推迟到|提前到|搬到)/

// Things there is one of at a time: the second deadline replaces the first, a second fact about a dog doesn't.
const single =
  /\b(?:favou?rite|preferred|name|birthday|birth ?date|address|e-?mail|phone|number|owner|lead|manager|boss|contact|deadline|due date|date|time|time ?zone|budget|price|status|role|title|job|position|team|office|desk|seat|room|location|code ?name|version|capital|size|colou?r|age|weight|height|salary|standup|stand-up|demo|launch|release|meeting|retro|review|workshop|appointment|flight)\b|最喜欢|名字|姓名|生日|地址|邮箱|电话|号码|负责人|经理|老板|联系人|截止|日期|时间|时区|预算|价格|状态|职位|岗位|办公室|座位|房间|地点|代号|版本|尺寸|颜色|年龄|体重|身高|例会|站会|演示|发布|上线|会议|评审|航班/i
const change =
  /\b(?:now|no longer|instead|actually|moved|changed|switched|correction|not .{1,40} anymore)\b|不再|现在|改成|改为|改到|改在|变成|换成|推迟|提前|搬到|更正|其实|不是.+是/i

/** What a statement is about. */
export interface Subject {
  /** The key under which a later statement about the same thing finds this one. */
  readonly key: string
  /** Only one statement of this key can hold at a time, so that a later one replaces it. */
  readonly single: boolean
}

/** A statement without a recognisable subject is its own: only the same words mean the same. */
export function subjectOf(statement: string, words: Words): Subject {
  const text = statement.trim()
  for (const { pattern, key } of shapes) {
    const match = pattern.exec(text)
    if (!match) continue
    const thing = (match.groups?.thing ?? match.groups?.thingChinese)?.replace(
      /\s+(?:any ?more|at all|now|too|as well|either|very much|a lot)\s*$/i,
      '',
    )
    return { key: thing === undefined ? key : subjectKey(words, `${key} ${thing}`), single: true }
  }
  const about = (before.exec(text) ?? beforeChinese.exec(text))?.groups?.about
  // A pronoun alone is about nothing that could be found again.
  if (about && !/^(?:it|this|that|there|he|she|they|i|we|you|我|我们|你|他|她|它|这|那)$/i.test(about))
    return { key: subjectKey(words, about), single: single.test(about) || change.test(text) }
  return { key: subjectKey(words, text), single: false }
}

/** Any naming of a subject in the form that is compared. */
export function subjectKey(words: Words, subject: string): string {
  const distinct = [...new Set(words.of(subject))].sort()
  return (distinct.length > 0 ? distinct.join(' ') : subject.toLowerCase().trim()).slice(0, 300)
}
