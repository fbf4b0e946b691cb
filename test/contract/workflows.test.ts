import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatBody, lastUserText, resultsSinceUser, type ScriptedReply } from '../support/model.ts'
import type { Guest, Talk } from './channel.ts'
import { answered, cardShows, openCard } from './stage.ts'
import { openTown, type Town } from './town.ts'
import { until } from './waiting.ts'

const { workflows } = JSON.parse(
  readFileSync(new URL('../../hermes.config.example.json', import.meta.url), 'utf8'),
) as { workflows: { expense_claim: Record<string, unknown> & { states: Record<string, object> } } }

/** The same claim as it is changed later: another first question, and no approver any more. */
function changedClaim(): object {
  const { uploading, confirming, expired, cancelled } = workflows.expense_claim.states
  return {
    ...workflows.expense_claim,
    states: {
      uploading: { ...uploading, say: 'Show me the new receipt.', forbidden: {} },
      confirming: { ...confirming, on: { confirmed: 'noted', cancelled: 'uploading' }, forbidden: {} },
      noted: { end: true, say: 'It is noted.' },
      expired,
      cancelled,
    },
  }
}

const receipt = { name: 'receipt.csv', content: 'item,amount,currency\nTrain,30.00,EUR\nTotal,42.50,EUR\n' }

/** A model that does as it is told about the workflow, and tries to jump where a person wants it to. */
function obedient(body: ChatBody): ScriptedReply {
  if (body.tools === undefined) return { text: '[]' }
  const system = body.messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => String(content))
    .join('\n')
  if (/just submit it/i.test(lastUserText(body)) && resultsSinceUser(body).length === 0)
    return { calls: [{ name: 'create_ticket', arguments: { title: 'Expense claim at once' } }] }
  const [, tell, offer] =
    /^Workflow(?:, tell the person now: (".*")|: this message is no step of it.*?: (".*"))$/m.exec(system) ??
    []
  return { text: tell ? JSON.parse(tell) : offer ? `Not yet. ${JSON.parse(offer)}` : 'All right.' }
}

const channels = ['slack', 'discord', 'web'] as const

describe('a declared workflow on all channels', { timeout: 120_000 }, () => {
  let town: Town
  let people: readonly {
    readonly channel: (typeof channels)[number]
    readonly ann: Guest
    readonly liWei: Guest
  }[]

  beforeAll(async () => {
    town = await openTown(() => ({ workflows }))
    town.model.script(obedient)
    people = channels.map((channel) => ({
      channel,
      ann: town[channel].guest('Ann'),
      liWei: town[channel].guest('Li Wei'),
    }))
  }, 120_000)
  afterAll(() => town.stop(), 60_000)

  /** The same on every channel, side by side. */
  const everywhere = <T>(act: (on: (typeof people)[number], index: number) => Promise<T>) =>
    Promise.all(people.map(act))
  const begin = () =>
    everywhere(async ({ channel, ann, liWei }) => {
      const talk = await town[channel].shared(ann, 'I want to file an expense claim')
      await answered(talk, 'Please attach the receipt')
      // Li Wei is here, too; what others say moves nothing.
      await talk.say('Here I am', liWei)
      await answered(talk, 'All right.')
      return talk
    })
  const upload = async (talk: Talk) => {
    await talk.say('Here it is', talk.owner, receipt)
    return openCard(talk, 'Confirm amount')
  }
  /** From the receipt to the card that Li Wei decides. */
  const toApprover = async (talk: Talk) => {
    const card = await upload(talk)
    await talk.press(card, 'Confirm')
    await openCard(talk, 'Expense claim')
    await answered(talk, 'Who shall approve 42.5 EUR?')
    await talk.say('Li Wei')
    return openCard(talk, 'Create ticket')
  }
  const claims = () =>
    town.rows.query<{ title: string }>(`SELECT title FROM ticket WHERE 'expense' = ANY(labels)`)

  it('refuses a jump, survives a restart with a changed definition, and is decided by another person', async () => {
    const talks = await begin()
    await everywhere(async (_, index) => {
      const talk = talks[index]!
      await talk.say('Just submit it')
      await answered(talk, 'Not yet. Please attach the receipt')
    })
    const refusals = town.model.requests.flatMap(({ body }) => resultsSinceUser(body))
    expect(refusals.length).toBeGreaterThanOrEqual(3)
    for (const refusal of refusals)
      expect(refusal).toMatch(
        /^Not run: create_ticket is not possible in the state "uploading".*Possible now: /,
      )
    expect(await town.rows.query('SELECT id FROM ticket')).toEqual([])

    const cards = await everywhere((_, index) => upload(talks[index]!))
    for (const card of cards)
      for (const piece of ['42.5', 'EUR', 'waits for Ann']) expect(card.text).toContain(piece)
    await town.rows.quiet()

    await town.restart({ workflows: { expense_claim: changedClaim() } })
    await everywhere(async ({ channel, liWei }, index) => {
      const talk = talks[index]!
      await talk.press(cards[index]!, 'Confirm')
      const choice = await openCard(talk, 'Expense claim')
      expect(choice.buttons).toEqual(['Li Wei', 'Maria Santos'])
      expect(await talk.press(choice, 'Maria Santos', liWei)).toBe('Only Ann can decide this.')
      await answered(talk, 'Who shall approve 42.5 EUR?')
      // Nobody is told anything by this click: its answer is the next card.
      void talk.press(choice, 'Li Wei').catch(() => {})
      const card = await openCard(talk, 'Create ticket')
      expect(card.text).toContain('Expense claim of Ann: 42.5 EUR')
      expect(await talk.press(card, 'Confirm')).toBe('Only Li Wei can decide this.')
      await talk.press(card, 'Confirm', liWei)
      await cardShows(talk, card.id, /Confirmed by Li Wei, .* · Ticket T-\d+ created/)
      await answered(talk, /Li Wei approved it\. The claim is submitted as T-\d+\./)
      // On the web a choice that was made is not shown any longer.
      if (channel === 'web')
        await until('the choice to be gone', async () =>
          (await talk.seen()).every((seen) => seen.id !== choice.id),
        )
      else await cardShows(talk, choice.id, 'Ann chose: Li Wei')
    })
    await town.rows.quiet()
    expect(await claims()).toHaveLength(3)
    // What begins now, begins as it is declared now.
    await everywhere(async ({ channel, ann }) => {
      const talk = await town[channel].shared(ann, 'I want to file an expense claim')
      await answered(talk, 'Show me the new receipt.')
    })
    await town.restart({ workflows })
  })

  it('runs the cancel action first where somebody leaves midway', async () => {
    const before = (await claims()).length
    const talks = await begin()
    await everywhere(async ({ channel, liWei }, index) => {
      const talk = talks[index]!
      const card = await toApprover(talk)
      await talk.say(channel === 'web' ? '算了' : 'never mind')
      await cardShows(talk, card.id, 'Withdrawn')
      const action = await openCard(talk, 'Send message')
      expect(action.text).toContain('Ann took back the expense claim of 42.5 EUR.')
      await answered(talk, 'The claim is taken back. Li Wei should know.')
      await talk.press(action, 'Confirm')
      await answered(talk, /^The expense claim is cancelled\.$/)
      await until('the message to the approver', async () =>
        (await town[channel].received(liWei)).some((text) =>
          text.includes('Ann took back the expense claim'),
        ),
      )
      expect(await talk.press(card, 'Confirm', liWei)).toMatch(/changed|withdrawn/i)
    })
    await town.rows.quiet()
    expect(await claims()).toHaveLength(before)
  })

  it('is over after its time, and says so without being asked', async () => {
    const talks = await begin()
    await town.rows.quiet()
    await town.rows.query(
      `UPDATE workflow_instance SET due_at = now() - interval '1 second' WHERE status = 'active' AND state = 'uploading'`,
    )
    await everywhere(async (_, index) => {
      await answered(talks[index]!, 'left open too long and is closed')
    })
    await town.rows.quiet()
    expect(
      await town.rows.query(`SELECT id FROM workflow_instance WHERE status <> 'ended' AND due_at <= now()`),
    ).toEqual([])
    await everywhere(async (_, index) => {
      const talk = talks[index]!
      await talk.say('Here it is', talk.owner, receipt)
      await until(
        'an answer',
        async () => (await talk.seen()).filter((seen) => seen.text === 'All right.').length === 2,
      )
    })
  })

  it('brings the card to an approver who can not see the thread', async () => {
    const direct = people.filter(({ channel }) => channel !== 'web')
    await Promise.all(
      direct.map(async ({ channel, ann, liWei }) => {
        const talk = await town[channel].beginnings['a direct message']!(
          ann,
          'I want to file an expense claim',
        )
        await answered(talk, 'Please attach the receipt')
        const card = await upload(talk)
        await talk.press(card, 'Confirm')
        await answered(talk, 'Who shall approve 42.5 EUR?')
        await talk.say('Li Wei')
        const own = await openCard(talk, 'Create ticket')
        expect(own.buttons).not.toContain('Confirm')
        await until('the card in the direct messages', async () =>
          (await town[channel].received(liWei)).some(
            (text) => text.includes('Create ticket') && text.includes('Expense claim of Ann: 42.5 EUR'),
          ),
        )
      }),
    )
  })
})
