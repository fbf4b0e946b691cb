import { describe, expect, it } from 'vitest'
import { answered, answers, cardShows, openCard } from '../contract/stage.ts'
import type { Town } from '../contract/town.ts'
import { until } from '../contract/waiting.ts'
import type { Cast } from './cast.ts'
import { codeIn, linked, newcomer, personOf, plain, said } from './somebody.ts'

/** How the identities of one human become one person's, and only by themselves. */
export function linking(at: () => Town & { readonly cast: Cast }): void {
  describe('linking', () => {
    const remember = (text: string) => ({ calls: [{ name: 'remember', arguments: { text } }] })
    const name = (who: { readonly name: string }, channel: string) => `${who.name} (${channel})`

    it('links two platforms by a code: what was said on one is recalled on the other, where nobody else reads', async () => {
      const { slack, discord, rows, scripts } = at()
      const ann = newcomer(at(), 'Ann')
      const fact = `The ${ann.word} locker has the number 4711`
      await said(at(), slack, ann.slack, 'Keep it', remember(fact), { text: 'Kept.' })
      const told = plain(await slack.command(ann.slack, 'link'))
      expect(told).toContain('within 10 minutes')
      const code = codeIn(told)
      const [kept] = await rows.query<{ all: string }>('SELECT json_agg(c)::text AS all FROM link_code c')
      expect(kept!.all).not.toContain(code)

      const offer = await discord.told(ann.discord, `link ${code.toLowerCase()}`)
      const both = [name(ann.slack, 'Slack'), name(ann.discord, 'Discord')] as const
      expect(plain(offer.text)).toContain(`Link ${both[0]} with ${both[1]}?`)
      expect(await personOf(at(), ann.discord)).not.toBe(await personOf(at(), ann.slack))
      expect(plain(await offer.press('Link'))).toBe(`${both[0]} and ${both[1]} are one person to me now.`)
      // Whoever was shown the code hears of it, should it have been seen by somebody else.
      await until('the word to the first', async () =>
        (await slack.received(ann.slack)).some((one) => one.includes('If that was not you, say')),
      )
      const person = await personOf(at(), ann.slack)
      expect(await personOf(at(), ann.discord)).toBe(person)
      const audited = `SELECT data->'identities' AS who FROM audit_event WHERE action = 'person.linked' AND person_id = $1`
      expect(await rows.query(audited, person)).toMatchObject([{ who: { length: 2 } }])

      const asked = await said(at(), discord, ann.discord, `Which number has the ${ann.word} locker?`, {
        text: 'I know it.',
      })
      expect(JSON.stringify(asked.requests())).toContain('4711')
      const word = scripts.word()
      scripts.on(word, { text: 'Others read this.' })
      const shared = await discord.shared(ann.discord, `Which number has the ${ann.word} locker, ${word}?`)
      await answered(shared, 'Others read this.')
      expect(JSON.stringify(scripts.requests(word))).not.toContain('4711')
    })

    it('takes the words in a direct message, keeps no code in the history, and sends the web chat to the command', async () => {
      const { slack, discord, web, rows } = at()
      const bob = newcomer(at(), 'Bob')
      const dm = await said(at(), slack, bob.slack, 'Hello', { text: 'Hi.' })
      await dm.talk.say('Link my accounts')
      const code = codeIn((await answered(dm.talk, 'Your code is')).text)
      await rows.quiet()
      expect(await rows.query('SELECT 1 FROM message WHERE text LIKE $1', `%${code}%`)).toEqual([])
      const there = await said(at(), discord, bob.discord, '你好', { text: '您好。' })
      await there.talk.say(`关联 ${code}`)
      await answered(there.talk, '要关联')
      await rows.quiet()
      await there.talk.say('确认关联')
      await answered(there.talk, '现在是同一个人了')
      expect(await personOf(at(), bob.discord)).toBe(await personOf(at(), bob.slack))
      const here = await said(at(), web, bob.web, 'Hello', { text: 'Hi.' })
      await here.talk.say('link')
      await answered(here.talk, 'Write `/hermes link`')
      expect((await answers(here.talk)).map((one) => one.text).join()).not.toMatch(/[A-Z2-9]{4}-[A-Z2-9]{4}/)
    })

    it('counts a code for ten minutes, once, for the first who says it, and not in place of a newer one', async () => {
      const { slack, web, discord, rows } = at()
      const [cy, eve] = [newcomer(at(), 'Cy'), newcomer(at(), 'Eve')]
      const invalid = 'That is no code that counts now.'
      expect(await web.command(eve.web, 'link AAAA-BBBB')).toContain(invalid)

      const old = codeIn(await slack.command(cy.slack, 'link'))
      expect(await slack.command(cy.slack, `link ${old}`)).toContain('you were shown here')
      const next = codeIn(await slack.command(cy.slack, 'link'))
      expect(await web.command(cy.web, `link ${old}`)).toContain(invalid)
      await rows.query(`UPDATE link_code SET expires_at = now() - interval '1 second' WHERE used_at IS NULL`)
      expect(await web.command(cy.web, `link ${next}`)).toContain(invalid)

      const code = codeIn(await slack.command(cy.slack, 'link'))
      const claims = await Promise.all([cy.web, eve.web].map((who) => web.told(who, `link ${code}`)))
      const offers = claims.filter(({ text }) => text.includes('Link'))
      expect(offers).toHaveLength(1)
      expect(claims.filter(({ text }) => text.includes(invalid))).toHaveLength(1)
      const presses = await Promise.all([offers[0]!.press('Link'), offers[0]!.press('Link')])
      const done = /are one person to me now|These are one person to me/
      expect(presses.every((text) => done.test(text))).toBe(true)
      const used =
        'SELECT 1 FROM link_code WHERE used_at IS NOT NULL AND hash = (SELECT hash FROM link_code WHERE staying = $1)'
      expect(await rows.query(used, await personOf(at(), cy.slack))).toHaveLength(1)
      expect(await discord.command(cy.discord, `link ${code}`)).toContain(invalid)
    })

    it('lets nobody confirm for somebody else, and nobody guess for long', async () => {
      const { slack, web, standIns } = at()
      const [dan, eve] = [newcomer(at(), 'Dan'), newcomer(at(), 'Eve')]
      const offer = await web.told(dan.web, `link ${codeIn(await slack.command(dan.slack, 'link'))}`)
      expect(offer.text).toContain('a name is taken as it is given')
      const [row] = await at().rows.query<{ id: string }>('SELECT id FROM link_code ORDER BY id DESC LIMIT 1')
      const forged = await fetch(`${at().app.address}/api/actions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          user: eve.web.name,
          thread: 'forged',
          action: 'link.confirm',
          value: row!.id,
        }),
      })
      expect(JSON.stringify(await forged.json())).toContain('There is nothing to link')
      expect(await offer.press('Cancel')).toBe('Nothing was linked.')
      expect(await offer.press('Link')).toContain('There is nothing to link')

      for (let tries = 0; tries < 5; tries += 1) await slack.command(eve.slack, 'link AAAA-BBBB')
      const right = codeIn(await web.command(eve.web, 'link'))
      expect(await slack.command(eve.slack, `link ${right}`)).toContain('Try again in 10 minutes.')
      expect(await personOf(at(), eve.slack)).not.toBe(await personOf(at(), eve.web))
      expect(standIns.slack.workspace.messages.some(({ text }) => text.includes(right))).toBe(false)
    })

    it('has reminders, open cards, permissions and the wish for privacy follow, also of what is under way', async () => {
      const { slack, discord, rows, scripts } = at()
      const fay = newcomer(at(), 'Fay')
      const title = `The ${fay.word} roof leaks`
      const reminder = { text: `water ${fay.word}`, when: '2099-01-01T09:00:00Z' }
      await said(
        at(),
        discord,
        fay.discord,
        'Remind me',
        { calls: [{ name: 'set_reminder', arguments: reminder }] },
        { text: 'I will.' },
      )
      const word = scripts.word()
      let free = () => {}
      const held = new Promise<void>((resolve) => {
        free = resolve
      })
      scripts.on(
        word,
        {
          text: 'A ticket then.',
          calls: [{ name: 'create_ticket', arguments: { title } }],
          chunkSize: 3,
          held,
        },
        { text: 'Made.' },
      )
      const talk = await discord.beginnings['a direct message']!(fay.discord, `A ticket about ${word}`)
      await until(
        'the turn to run',
        async () =>
          (
            await rows.query(
              `SELECT 1 FROM turn WHERE status = 'running' AND person_id = (SELECT person_id FROM identity WHERE name = $1)`,
              fay.discord.name,
            )
          ).length > 0,
      )
      const before = await personOf(at(), fay.discord)
      await slack.command(fay.slack, 'private off')
      await linked([slack, fay.slack], [discord, fay.discord])
      free()
      const card = await openCard(talk, title)
      const left = await rows.query<{ table: string }>(
        `SELECT table_name AS table FROM information_schema.columns WHERE column_name = 'person_id' AND table_schema = 'public'
           AND table_name NOT IN ('audit_event')`,
      )
      expect(left.length).toBeGreaterThan(10)
      for (const { table } of left)
        expect(await rows.query(`SELECT 1 FROM ${table} WHERE person_id = $1`, before), table).toEqual([])
      expect(await slack.command(fay.slack, 'reminders')).toContain(`water ${fay.word}`)
      expect(await slack.command(fay.slack, 'approvals')).toContain(title)
      await talk.press(card, 'Confirm')
      await cardShows(talk, card.id, /Ticket T-\d+ created/)
      await answered(talk, 'Made.')
    })

    it('counts the identities of one human as one where four eyes are wanted, linked or parted', async () => {
      const { slack, discord, scripts } = at()
      // Whoever is called Sid in the workspace of Slack may decide there, but not about what he asked for himself.
      const sid = slack.guest('Sid')
      const other = discord.guest(`Sid D ${scripts.word()}`)
      const asked = async (by = other) => {
        const word = scripts.word()
        const title = `The ${word} gate`
        const args = { title, labels: ['four-eyes'] }
        scripts.on(word, { calls: [{ name: 'create_ticket', arguments: args }] }, { text: `Made ${word}.` })
        const talk = await discord.shared(by, `A ticket about ${word}`)
        await openCard(talk, title)
        const room = await slack.inRoom(sid)
        const card = await until('the card in the room', async () =>
          (await room.seen()).find((one) => one.isCard && one.text.includes(title)),
        )
        return { room, card, title }
      }
      const only = 'Only Fay or anyone of everyone, but not'
      await linked([discord, other], [slack, sid])
      const first = await asked()
      expect(await first.room.press(first.card, 'Confirm', sid)).toContain(only)
      await slack.command(sid, 'link off')
      expect(await first.room.press(first.card, 'Confirm', sid)).toContain(only)
      const second = await asked()
      expect(await second.room.press(second.card, 'Confirm', sid)).toContain(only)
      const titles = 'SELECT title FROM ticket WHERE title = ANY($1)'
      expect(await at().rows.query(titles, [first.title, second.title])).toEqual([])
      // The same holds for those whom the operator lists as one.
      const { sol } = at().cast
      const third = await asked(sol.discord)
      expect(await third.room.press(third.card, 'Confirm', sol.slack)).toContain(only)
      // Somebody else may.
      const fay = slack.guest('Fay')
      await second.room.press(second.card, 'Confirm', fay)
      await until('the ticket', async () => (await at().rows.query(titles, [second.title])).length === 1)
    })

    // The audit log says who it was.
    it('lets every table that says whose a row is follow', async () => {
      const tables = await at().rows.query<{ table: string }>(
        `SELECT c.table_name AS table FROM information_schema.columns c WHERE c.table_schema = 'public'
           AND c.column_name IN ('person_id', 'created_by') AND c.table_name NOT IN ('identity', 'audit_event')
           AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.table_name::regclass AND t.tgname LIKE '%_link')`,
      )
      expect(tables).toEqual([])
    })

    it('keeps private what one of the two keeps private', async () => {
      const { slack, web, rows } = at()
      const gil = newcomer(at(), 'Gil')
      await said(at(), slack, gil.slack, 'Hello', { text: 'Hi.' })
      await slack.command(gil.slack, 'private off')
      expect(await linked([slack, gil.slack], [web, gil.web])).toContain(
        'Private memories stay out of places',
      )
      const shown = 'SELECT private_in_shared AS shared FROM person WHERE id = $1'
      expect(await rows.query(shown, await personOf(at(), gil.slack))).toEqual([{ shared: false }])
    })

    it('parts again: the identity is a person of its own, memories stay with the other', async () => {
      const { slack, discord, rows } = at()
      const hal = newcomer(at(), 'Hal')
      const there = await said(
        at(),
        discord,
        hal.discord,
        'Keep it',
        remember(`The ${hal.word} bike is red`),
        {
          text: 'Kept.',
        },
      )
      await linked([slack, hal.slack], [discord, hal.discord])
      expect(await discord.command(hal.discord, 'link off')).toContain('is a person of its own again')
      expect(await personOf(at(), hal.discord)).not.toBe(await personOf(at(), hal.slack))
      const own = await said(at(), slack, hal.slack, 'Hello', { text: 'Hi.' })
      expect(await slack.command(hal.slack, 'memory', own.talk)).toContain('bike is red')
      expect(await discord.command(hal.discord, 'memory', there.talk)).toContain(
        'I remember nothing of you yet.',
      )
      expect(await discord.command(hal.discord, 'link off')).toBe('Nothing is linked here.')
      // What is open in its conversations went with it: messages of its threads are its own.
      const whose = `SELECT DISTINCT m.person_id FROM message m JOIN session s ON s.id = m.session_id
        WHERE s.channel = 'discord' AND m.person_id IN ($1, $2)`
      const both = [await personOf(at(), hal.discord), await personOf(at(), hal.slack)]
      expect(await rows.query(whose, ...both)).toEqual([{ person_id: both[0] }])
      // They may be linked again.
      await linked([slack, hal.slack], [discord, hal.discord])
      expect(await discord.command(hal.discord, 'memory', there.talk)).toContain('bike is red')
    })
  })
}
