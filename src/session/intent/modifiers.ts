import type { Modifier } from './intent.ts'

const patterns: Readonly<Record<Modifier, RegExp>> = {
  refresh:
    /\b(?:refresh|re-?load|re-?check|re-?fetch|up[- ]to[- ]date|latest|most recent|newest|fresh(?:ly)?|outdated|stale|current (?:data|figures|numbers|state|status))\b(?! (?:ticket|order|one|reminder|invoice|message|mail|version of))|\b(?:check|look|fetch|search|query|pull|get|read)\b.{0,40}\b(?:again|once more|anew)\b|\b(?:not?|don't|dont|without|ignore|skip|bypass)\b.{0,24}\b(?:cached?|old (?:data|result|one)s?)\b|刷新|最新|过时|(?:重新|再)(?:查|看|拉取?|搜|获取|读取?|检索|统计|检查)|(?:不要?|别|不)用?(?:走|读)?缓存|实时/iu,
  rerun:
    /\b(?:try|run|do|send|start|post|say|ask|submit|create|message|call|mail|execute|go)\b(?: (?:it|that|this|them|him|her|the \w+|one))*(?: \w+){0,3}? (?:again|once more|one more time|over)\b|^(?:again|once more|one more time|retry|repeat)\b|\b(?:redo|retry|re-?run|re-?send|repeat)\b|\b(?:do|run) the same\b|(?:再|重新)(?:来|试|做|跑|发|打(?!开)|执行|运行|提交|生成|弄|说|叫|催)|(?:给|跟|向)\S{1,10}再(?:发|打|说)|重试|重做|重发|重跑|同样的?(?:操作|处理|事)|照(?:着|样)(?:再)?[做来]/iu,
  format:
    /\b(?:as|in|into|to) (?:an? )?(?:\w+ ){0,2}(?:table|list|bullets?|bullet points?|csv|json|markdown|chart|graph|outline|sentences?|paragraphs?|words)\b|\bin (?:chinese|english|german|french|spanish|japanese|plain words)\b|(?<!\b(?:no|any|title|name) )\b(?:shorter|longer|more detailed|briefly|in short|bullet points)\b(?! (?:title|name|than|to|deadline))|\btables?\b.{0,12}\b(?:instead|please)\b|(?:用|以|按|换成?|转成|变成|改成|做成|整理成|列成).{0,8}(?:表格|列表|要点|图表|清单形式|形式|格式|中文|英文|英语|德语|日语|句话|csv|json|markdown)(?!怎么)|(?:简短|详细|精简|简洁)(?:一?[点些]|地)/iu,
}
const topics = /\b(?:from now on|always|remember|prefer)\b|以后|今后|记住|总是/i

/** How what is asked shall be done, where the message says so. */
export function readModifiers(text: string): readonly Modifier[] {
  // A standing wish is no modifier of this answer.
  if (topics.test(text)) return []
  return (['refresh', 'rerun', 'format'] as const).filter((modifier) => patterns[modifier].test(text))
}
