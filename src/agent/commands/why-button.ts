import type { Language } from '../../base/words.ts'
import type { CardAction } from '../../channel/card.ts'

/** The button under a finished answer that tells the person who asked what shaped it. */
export function whyButton(turnId: string, language: Language): CardAction {
  return {
    label: language === 'zh' ? '为什么' : 'Why',
    action: 'answer.why',
    value: turnId,
    style: 'quiet',
  }
}
