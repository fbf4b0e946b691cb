import type { Language } from '../../base/words.ts'
import type { Address } from '../../channel/address.ts'
import type { CardAction } from '../../channel/card.ts'
import type { ActionEvent, CommandEvent } from '../../channel/events.ts'
import type { Receipt } from '../../channel/port.ts'
import { codeLifeMs, type LinkedIdentity, type Linking, type LinkOffer } from '../../session/linking.ts'
import type { Met } from '../../session/meeting.ts'
import { peopleWords } from './words.ts'

/** `/hermes link`: makes the identities of one human one person's. Everything is told to that person alone. */
export interface LinkCommand {
  /** Without words it gives a code, with a code it asks; `yes`, `no` and `off` are words of their own. */
  run(event: CommandEvent, language: Language): Promise<Receipt>
  /** `undefined` where the button is none of its own. */
  press(event: ActionEvent, language: Language): Promise<Receipt | undefined>
}

const minutes = Math.round(codeLifeMs / 60_000)

export function createLinkCommand(parts: {
  readonly linking: Linking
  readonly meet: (event: Pick<CommandEvent, 'thread' | 'author'>) => Promise<Met>
  /** Tells somebody directly, where they write: whoever was shown a code hears that it was used. Never rejects. */
  readonly tell: (to: Address, text: string, key: string) => Promise<void>
}): LinkCommand {
  const { linking } = parts

  return {
    async run(event, language) {
      const words = peopleWords(language)
      const isTyped = event.dedupeKey.startsWith('typed:')
      const { identityId } = await parts.meet(event)
      const said = event.text.trim()
      if (/^(?:yes|confirm|是|确认)$/i.test(said)) return confirm(identityId, undefined, language)
      if (/^(?:no|cancel|否|取消)$/i.test(said)) return cancel(identityId, language)
      if (/^(?:off|关|关闭)$/i.test(said)) return part(identityId, language)
      if (said !== '') return claim(identityId, said, { isTyped, language })
      // What is said in the web chat is read from the history, which keeps no codes.
      if (isTyped && event.thread.channel === 'web') return answer(words.bySlash)
      const [code, own] = [await linking.issue(identityId), await linking.identities(identityId)]
      const list = own.length > 1 ? `\n\n${words.linkedAre(listed(own, language))}` : ''
      return { kind: 'answered', notice: words.code(code, minutes) + list, kept: words.codeKept }
    },

    async press(event, language) {
      if (event.action !== 'link.confirm' && event.action !== 'link.cancel') return undefined
      const { identityId } = await parts.meet(event)
      return event.action === 'link.cancel'
        ? cancel(identityId, language)
        : confirm(identityId, event.value ?? '', language)
    },
  }

  async function claim(
    identityId: string,
    code: string,
    { isTyped, language }: { readonly isTyped: boolean; readonly language: Language },
  ): Promise<Receipt> {
    const words = peopleWords(language)
    const found = await linking.claim(identityId, code)
    switch (found.kind) {
      case 'found': {
        const offer = offered(found, language)
        if (isTyped) return answer(`${offer}\n\n${words.sayYes}`)
        return answer(offer, [
          { label: words.link, action: 'link.confirm', value: found.codeId, style: 'primary' },
          { label: words.cancel, action: 'link.cancel', value: found.codeId },
        ])
      }
      case 'invalid':
        return answer(words.invalid)
      case 'own':
        return answer(words.own)
      case 'too many':
        return answer(words.tooMany(minutes))
      case 'linked':
        return answer(words.already)
      case 'taken':
        return answer(words.taken(words.channels[found.channel]))
      default:
        return found satisfies never
    }
  }

  async function confirm(
    identityId: string,
    codeId: string | undefined,
    language: Language,
  ): Promise<Receipt> {
    const words = peopleWords(language)
    const done = await linking.confirm(identityId, codeId)
    if (done.kind === 'gone') {
      const own = await linking.identities(identityId)
      return answer(own.length > 1 ? words.linkedAre(listed(own, language)) : words.gone)
    }
    const sentence = words.linked(told(done.shown, language), told(done.said, language))
    void parts.tell(done.shown, `${sentence} ${words.notYou}`, done.codeId)
    return answer(done.stricter ? `${sentence} ${words.stricter}` : sentence)
  }

  async function cancel(identityId: string, language: Language): Promise<Receipt> {
    await linking.cancel(identityId)
    return answer(peopleWords(language).notLinked)
  }

  async function part(identityId: string, language: Language): Promise<Receipt> {
    const words = peopleWords(language)
    const own = (await linking.identities(identityId)).find(({ id }) => id === identityId)
    const parted = await linking.part(identityId)
    if (!parted || !own) return answer(words.alone)
    return answer(words.parted(told(own, language), listed(parted.remaining, language)))
  }
}

function offered({ shown, said }: LinkOffer, language: Language): string {
  const words = peopleWords(language)
  const offer = words.offer(told(shown, language), told(said, language))
  const onWeb = shown.channel === 'web' || said.channel === 'web'
  return onWeb ? `${offer}\n\n${words.nameOnly}` : offer
}

function listed(identities: readonly LinkedIdentity[], language: Language): string {
  return identities.map((one) => told(one, language)).join(peopleWords(language).and)
}

/** A name is another person's words: it says nothing else. */
function told({ name, channel }: LinkedIdentity, language: Language): string {
  const words = peopleWords(language)
  return words.identity(name.replace(/([\\`*_[\]~<>|])/g, '\\$1'), words.channels[channel])
}

function answer(notice: string, actions: readonly CardAction[] = []): Receipt {
  return { kind: 'answered', notice, actions }
}
