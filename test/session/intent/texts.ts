/** A long message as somebody pastes it: a request, much matter, and a last word. */
export function longText(length: number): string {
  const line =
    '2026-11-30 14:02:11 worker-3 WARN retry 2 of 5: T-1042 "Printer, floor 3" and then again, 重试一次\n'
  const wish = 'Please summarise this log for Li Wei:\n'
  const last = '\nAnd open a ticket for what is wrong.'
  return (
    wish + line.repeat(Math.ceil(length / line.length)).slice(0, length - wish.length - last.length) + last
  )
}

/** Texts that are full of what makes patterns slow: joints, digits, dates, blanks, half words, marks. */
export function awkwardTexts(length: number): readonly string[] {
  const seeds = [
    'and then ',
    ', and check, ',
    '如果没提交就提醒他，再',
    '把把把给给给和和和',
    '1 2 3 4 5 6 7 8 9 ',
    'next monday at 9 or tomorrow, ',
    '下周三下午三点半或者明天上午，',
    '                    ',
    'a.b.c.d/e-f.g_h.',
    'the the the the the the ',
    '不不不不不不不',
    "it's it's, no, not that, ",
    '"""\'\'\'((([[[',
    'Li Li Li Li ',
    'please could you would you ',
    'forget that I ',
    '我的我的我的',
    '\n> \n- 1. 2. ',
    '\ud83d\ude00\ud83d',
    '\u202e\u0000\u200b',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    '一一一一一一一一一一一一',
    '@@@@@@ @a @b ',
    'T-1 T-2 ORD-1 x.pdf ',
  ]
  return seeds.map((seed) => seed.repeat(Math.ceil(length / seed.length)).slice(0, length))
}
