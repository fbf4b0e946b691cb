import { kindWords } from './kinds.ts'

/** What a message decides, where it does nothing else. */
export interface TypedDecision {
  /** Missing where only the choice is given: "the second one". */
  readonly verdict?: 'confirmed' | 'cancelled'
  /** Which of several: all, or the n-th (-1 for the last). */
  readonly which?: 'all' | number
}

function wordsOf(lines: string): readonly string[] {
  return lines
    .split(/[|\n]/)
    .map((words) => words.trim())
    .filter((words) => words !== '')
}

/** The longest message that can be a mere yes or no. */
const longest = 60

// Words that are said with a yes or a no and add nothing to it.
const polite = wordsOf(`
  please|pls|plz|thanks a lot|thanks so much|thanks|thank you very much|thank you so much
  thank you|thx|ty|cheers|hermes|now|then|just|谢谢你|谢谢您|谢谢|多谢|麻烦了|麻烦你了|麻烦您了|麻烦你|麻烦您|辛苦了|辛苦|请|那就|那
  就|现在|吧|啊|呀|啦|哦|噢|喔|哈|了|的|呗|嘛`)
const yes = wordsOf(`
  yes|yess|yesss|yes to all|yeah|yea|yep|yup|ya|y|aye|sure|sure thing|for sure|of course
  certainly|definitely|absolutely|confirm|confirmed|i confirm|approve|approved|i approve|accept
  agreed|i agree|go ahead|go ahead and|yes you can|you can|you may|go for it|go on|proceed|continue|do it|do so|do this|do that|please do
  make it so|by all means|correct|exactly|indeed|that's right|that is right|that's correct
  that is correct|thats right|thats correct|that's fine|that is fine|thats fine|looks good
  looks good to me|looks fine|looks right|looks correct|that looks good|that looks right|that looks fine|that looks correct|this looks good|this looks right|all correct|sounds good|sounds good to me
  sounds great|sounds fine|all good|all right then|lgtm|fine by me|fine with me|it's fine
  works for me|that works|go|that would be great|that would be nice|that'd be great|would be great|why not|sounds like a plan|that's the one|this one|good to go|thumbs up|carry on|you may proceed|permission granted|green light|perfect go ahead|great go ahead|good go ahead|green light from me|ok with me|okay with me|very well|i'm fine with that|i'm ok with that|all set|roger|ship it|ok do it|no objections|yes of course|yes i do|yes i am sure|yes i'm sure
  i'm sure|i am sure|确认|我确认|确定|我确定|同意|我同意|批准|准了|通过|是|是的|对|对的|没错|正确|可以|可以的|没问题|没意见|要|要的|需要|执行|继续
  开始|照办|照做|去做|去办|就这样|就这么办|就这么做|就这么定|就这样办|就这样做|这样可以|当然|当然可以|必须的|提交|发送|发出去|发吧|办吧|做吧|弄吧|搞吧|建吧|创建吧|批了|你弄吧|你办吧|你发吧|你去办|你看着办|交给你了|可行|就发吧|这么发|这样发|这么发吧|确认无误|核对无误|无误|看着没问题|看起来没问题|看着可以|看起来可以|没有问题|没啥问题|没什么问题|完全同意|完全可以|完全没问题|我觉得可以|办|办吧|去吧|来吧|按这个来|按你说的|按你说的做|按你说的来|听你的|放行|就它了|没毛病|上吧|👍
  ✅|✔|👌|🆗`)
// Said of what was heard as often as of what shall be done: a yes by itself, no yes beside thanks.
const acknowledging = wordsOf(`
  ok|okay|okey|okie|k|kk|alright|all right|fine|right|好|好的|好滴|好呀|好啊|好吧|行|行吧|成|嗯|嗯嗯|恩`)
// What a yes may name. Not what undoes something: "yes, delete it" may speak of the card or of what the card makes.
const named = new RegExp(
  `^(?:send|post|submit|create|make|book|order|file|open|publish|add|save|schedule|run|pay) (?:(?:it|this|that|them)\\b|(?:(?:the|that|this|a) )?(?:${kindWords.en})s?\\b)|^(?:创建|新建|建|提交|发送|发|预订|订|发布|安排|设置)(?:这个|那个|该|这|那|一个)?(?:${kindWords.zh})|^(?:发|建|订|办|做|弄|搞|创建|下单|买|约)(?:吧|了)?(?=[\\s谢麻辛]|$)`,
)
const no = wordsOf(`
  no|no way|no chance|i don't think so|i do not think so|nope|nah|no no|n|no thanks|no thank you|no thx|cancel|cancel it|cancel this|cancel that
  cancel all|don't|dont|do not|don't do it|don't do that|don't do this|dont do it|please don't
  do not do it|do not do that|don't bother|not now|not today|no need|not needed
  not necessary|leave it|leave it be|let it be|better not|rather not|i'd rather not|reject
  rejected|i reject|decline|declined|deny|denied|refuse|i disagree|disagree|absolutely not
  of course not|certainly not|i don't want it|i don't want to|i don't want that|drop it|skip it
  skip|不|不用|不用了|不用谢谢|不要|不要了|不需要|不需要了|不必|不必了|不了|不行|不可以|不同意|我不同意|不确认|不执行|不想|不想要|别|别了|取消|取消掉|取消了|拒绝
  否|否决|驳回|先放着|先放一放|先搁着|缓缓|就不了|这次就不了|还是不了|先不|先不要|先不用|先别|暂时不|暂时不用|暂时不要|还是不要|还是不用|还是别|还是算了|👎|❌|🚫`)
// Beside a yes they take it back.
const pause = wordsOf('hold on|hang on|wait|not yet|one moment|等等|等一下|等下|先等等|慢着')
const all = wordsOf(`
  all|all of them|both|both of them|everything|yes to all|cancel all|none of them|全部|都|全都|所有|两个都
  都要|全要`)
const ordinal =
  /^(?:the )?(?:(first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th)(?: one| card)?|(?:number|no\.?|card|#) ?(\d))(?![\w-])|^第([一二三四五1-5])[个张条项份]|^(最后)一?[个张条项份]/
// "Don't cancel" is no "cancel".
const keepsOn =
  /\b(?:don't|dont|do not|not) (?:cancel|reject|decline|deny|skip|drop)|[不别](?:要|用|必|需要)?(?:取消|拒绝|驳回|否决)/
const undoing = /cancel|reject|decline|deny|drop|skip|取消|拒绝|否决|驳回|不要|不用|不需要/
const places = ['first', 'second', 'third', 'fourth', 'fifth']

interface Unit {
  readonly kind: 'polite' | 'yes' | 'acknowledging' | 'no' | 'pause' | 'all'
  readonly words: string
}

const units: readonly Unit[] = [
  ...yes.map((words) => ({ kind: 'yes' as const, words })),
  ...acknowledging.map((words) => ({ kind: 'acknowledging' as const, words })),
  ...no.map((words) => ({ kind: 'no' as const, words })),
  ...pause.map((words) => ({ kind: 'pause' as const, words })),
  ...all.map((words) => ({ kind: 'all' as const, words })),
  ...polite.map((words) => ({ kind: 'polite' as const, words })),
].sort((a, b) => b.words.length - a.words.length)

/**
 * The decision that a message is, where it says yes or no and nothing else; politeness and emoji may stand beside
 * it. A yes and a no together, or a yes with a wish ("yes, but …"), decide nothing.
 */
export function readDecision(text: string): TypedDecision | undefined {
  if (text.length > longest * 2) return undefined
  let rest = plain(text)
  if (rest === '' || rest.length > longest || /[?？]/.test(text) || keepsOn.test(rest)) return undefined
  const seen = new Set<Unit['kind'] | 'named'>()
  let which: TypedDecision['which']
  let first = true
  let undoes = false
  while (rest !== '') {
    const place = ordinal.exec(rest)
    if (place) {
      if (which !== undefined) return undefined
      which = placeOf(place)
      rest = rest.slice(place[0].length).trimStart()
      first = false
      continue
    }
    const thing = first ? null : named.exec(rest)
    if (thing) {
      seen.add('named')
      rest = rest.slice(thing[0].length).trimStart()
      continue
    }
    const unit = units.find(({ words }) => startsWith(rest, words))
    if (!unit) return undefined
    if (unit.words === 'none of them') seen.add('no')
    if (unit.kind === 'all' || / all$/.test(unit.words)) {
      if (which !== undefined) return undefined
      which = 'all'
    }
    seen.add(unit.kind)
    undoes ||= unit.kind === 'no' && undoing.test(unit.words)
    rest = rest.slice(unit.words.length).trimStart()
    first = false
  }
  const agrees = seen.has('yes') || (seen.has('acknowledging') && (!seen.has('polite') || seen.has('named')))
  const choice = which === undefined ? {} : { which }
  // "No, the second one" chooses; it cancels nothing.
  if (typeof which === 'number' && seen.has('no') && !undoes) return undefined
  if (seen.has('pause') && agrees) return undefined
  if (seen.has('no')) return agrees || seen.has('named') ? undefined : { verdict: 'cancelled', ...choice }
  if (agrees) return { verdict: 'confirmed', ...choice }
  return which === undefined || seen.has('named') ? undefined : choice
}

/** Without what carries no meaning: case, marks, smileys and skin tones. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[\u{1f3fb}-\u{1f3ff}\ufe0f\u200d]/gu, '')
    .replace(/[^\p{L}\p{N}'#👍✅✔👌🆗👎❌🚫\s]|(?<=^|\s)'|'(?=\s|$)/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Latin words end where a word ends; Chinese ones anywhere. */
function startsWith(text: string, words: string): boolean {
  if (!text.startsWith(words)) return false
  const next = text.charAt(words.length)
  return next === '' || !/[a-z']$/.test(words) || !/[a-z0-9'-]/.test(next)
}

function placeOf(match: RegExpExecArray): number {
  const [, english, digit, chinese, last] = match
  if (last || english === 'last') return -1
  if (digit) return Number(digit)
  if (chinese) return /\d/.test(chinese) ? Number(chinese) : '一二三四五'.indexOf(chinese) + 1
  const spelled = places.indexOf(english ?? '')
  return spelled === -1 ? Number.parseInt(english ?? '1', 10) : spelled + 1
}
