import type { Clock } from '../../base/clock.ts'
import { type Language, phrases } from '../../base/words.ts'
import type { FormEvent } from '../../channel/events.ts'
import type { Receipt } from '../../channel/port.ts'
import type { Notices } from '../../session/notices.ts'
import type { Approvals, Click, Decision } from '../../tools/approvals/approvals.ts'
import { deciders } from '../../tools/approvals/cards.ts'
import { argumentsOf, formFields } from '../../tools/arguments/forms.ts'
import { hashOf } from '../../tools/hash.ts'
import type { Editing } from './editing.ts'
import { standing, type Telling } from './telling.ts'

/** The form in which a person changes what a card asks for. */
export function createEditForm(parts: {
  approvals: Approvals
  editing: Editing
  telling: Telling
  notices: Notices
  wake: (sessionId: string) => Promise<void>
  clock: Clock
  language: Language
}) {
  const { approvals, notices, clock, wake } = parts
  const { answer, showing, drawnFor, latestOf } = parts.telling
  return {
    async open(click: Click, id: string): Promise<Receipt> {
      return openEditor(click, await approvals.look(id, click), id)
    },
    submit,
  }

  function openEditor(click: Click, decision: Decision, id: string): Receipt {
    if (decision.kind !== 'found') return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const facts = decision.approvals.find((found) => found.approval.id === id)
    if (!facts) return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const { snapshot } = facts.approval
    const words = phrases(snapshot.language)
    if (!decision.permitted) {
      const { fourEyes } = facts.approval
      const notice = fourEyes ? words.onlyMayEdit(facts.requester) : words.onlyMayDecide(deciders(facts))
      return { kind: 'answered', notice }
    }
    if (facts.approval.status !== 'open') {
      const [card] = drawnFor(click, [facts], clock.now())
      return { kind: 'answered', notice: standing(facts, clock.now()), ...showing(click, card, facts) }
    }
    return {
      kind: 'answered',
      form: {
        action: 'approval.edit',
        value: `${id}:${facts.version}`,
        title: snapshot.title,
        submitLabel: words.save,
        fields: formFields(snapshot.schema, facts.arguments, snapshot.language, facts.timeZone),
      },
    }
  }

  async function submit(event: FormEvent): Promise<Receipt> {
    const [id = '', version = ''] = (event.value ?? '').split(':')
    const looked = await approvals.look(id, event)
    const opened = openEditor(event, looked, id)
    // What has changed since may be what this very form did, whose answer got lost on its way.
    const late = async (receipt: Receipt): Promise<Receipt> =>
      (await approvals.cameBefore(event)) ? { kind: 'repeated' } : receipt
    if (opened.kind !== 'answered' || !opened.form || looked.kind !== 'found') return late(opened)
    const facts = looked.approvals[0]!
    const { snapshot } = facts.approval
    const words = phrases(snapshot.language)
    if (String(facts.version) !== version) return late({ kind: 'answered', notice: words.hasChanged })
    const raw = argumentsOf(snapshot.schema, event.fields, facts.arguments, facts.timeZone)
    const checked = await parts.editing.check(facts, raw)
    if (!checked.ok) {
      const problems = new Map(
        checked.problems.map((problem) => [problem.field.split('.')[0] ?? '', problem.problem]),
      )
      return {
        kind: 'answered',
        form: {
          ...opened.form,
          ...(problems.has('') ? { error: problems.get('')! } : {}),
          fields: opened.form.fields.map((field) => ({
            ...field,
            value: event.fields[field.name] ?? field.value,
            ...(problems.has(field.name) ? { error: problems.get(field.name)! } : {}),
          })),
        },
      }
    }
    if (checked.otherRules) {
      const anew = parts.editing.underOtherRules(facts, checked)
      const decision = await approvals.reissue(id, { version: facts.version, ...anew }, event)
      return answer(event, decision, id, (sentences) => sentences.rulesDiffer)
    }
    const decision = await approvals.rebind(
      id,
      facts.version,
      { arguments: checked.arguments, argumentsHash: hashOf(checked.arguments), snapshot: checked.snapshot },
      event,
    )
    if (decision.kind === 'found' && decision.decided) {
      // Of a card that is shown in two places, the other one is drawn by whoever works on the session.
      if (facts.place) await wake(decision.sessionId)
      else notices.changed(decision.sessionId)
      const card = await latestOf(event, facts)
      return { kind: 'answered', notice: words.savedNotice, ...showing(event, card, facts) }
    }
    return answer(event, decision, id, (sentences) => sentences.savedNotice)
  }
}
