/**
 * Words too common to tell one text from another, in the form that `words.ts` makes of them (English
 * ones are stems). In a scope of a few memories their rarity can't be learned from the texts.
 */
export const stopWords: ReadonlySet<string> = new Set([
  ...`a about an and ani are ar as at be been but by can could did do doe doing for from had ha have he her here him hi how i if
in into is it just let like m me mi more most my no not of off on onli or our out over own pleas s she should so some such
ca wo t than that the their them then there these thei they thi those to too up us veri wa was we were what when where which
while who whom why will with would you your yours yourself d ll re ve am being does has his its this very any they`.split(
    /\s+/,
  ),
  ...`的 了 在 是 我 你 您 他 她 它 们 我们 你们 他们 她们 这 那 这个 那个 这些 那些 有 和 与 或 就 都 也 很 还 又 再 把 被 给 对 从 到
向 以 为 于 之 其 吗 呢 吧 啊 呀 哦 嗯 什么 怎么 怎样 哪 哪个 哪些 哪里 谁 几 多少 为什么 如何 一个 一下 一些 没 没有 不 不是 会 要 能 可以
请 请问 帮 帮我 让 说 去 来 上 下 里 中 着 过 得 地 个 只 而 但 但是 因为 所以 如果 然后`.split(/\s+/),
])
