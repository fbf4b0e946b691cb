import { phrases } from '../../base/words.ts'
import type { Card, CardField, Form, FormField } from '../../channel/card.ts'
import type { QuestionStatus } from '../../store/prisma/client.ts'
import { formFields, shownArgument, shownValue } from '../../tools/arguments/forms.ts'
import { choiceIn, type Question } from './question.ts'

/** The action of a question's choices; their value names the call and the option. */
export const chooseAction = 'question.choose'
/** The action of the button that opens a question's form, and of the form itself; their value names the call. */
export const fillAction = 'question.fill'

/** As many as fit beside each other; more become a list to select from. */
const mostButtons = 4

/** What a question's card is drawn from. */
export interface QuestionFacts {
  /** The call's. */
  readonly id: string
  readonly status: QuestionStatus
  readonly question: Question
  /** What is known. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Who is asked. */
  readonly person: string
  /** Where they are. */
  readonly timeZone: string
}

/** The card as it looks now: a pure function of the question. */
export function questionCard(facts: QuestionFacts, now: Date): Card {
  const { id, status, question, person } = facts
  const words = phrases(question.language)
  const base = { id, title: question.title, fields: fieldsOf(facts) }
  if (status === 'given' || status === 'answered')
    return { ...base, tone: 'done', footer: words.answeredBy(person), actions: [] }
  if (status === 'closed' || new Date(question.expiresAt) <= now)
    return { ...base, tone: 'void', footer: words.askedNoLonger, actions: [] }
  const open = {
    ...base,
    risk: openPoints(facts),
    tone: 'open',
    footer: words.waitsForAnswer(person),
  } as const
  const choice = choiceIn(question)
  if (!choice)
    return { ...open, actions: [{ label: words.fillIn, action: fillAction, value: id, style: 'primary' }] }
  const options = choice.options.map(({ label }, index) => ({ label, value: `${id}:${index}` }))
  if (options.length <= mostButtons)
    return { ...open, actions: options.map((option) => ({ ...option, action: chooseAction })) }
  return { ...open, actions: [], choice: { label: choice.label, action: chooseAction, options } }
}

/** The form of a question: what is asked stands first, and what is known may be changed. */
export function questionForm({ id, question, arguments: known, timeZone }: QuestionFacts): Form {
  const words = phrases(question.language)
  const places = new Map(question.asked.map((asked, index) => [asked.field, { asked, index }]))
  const fields = fieldsIn(question, known, timeZone)
  const general = places.get('')?.asked.problem
  return {
    action: fillAction,
    value: id,
    title: question.title,
    submitLabel: words.send,
    ...(general === undefined ? {} : { error: general }),
    fields: fields
      .toSorted((a, b) => (places.get(a.name)?.index ?? 99) - (places.get(b.name)?.index ?? 99))
      .map((field) => {
        const asked = places.get(field.name)?.asked
        if (!asked || asked.missing) return field
        return asked.found && asked.options
          ? { ...field, kind: 'select', options: asked.options, value: '' }
          : { ...field, error: asked.problem }
      }),
  }
}

/** What is known, exactly, with what was answered. */
function fieldsOf({ question, arguments: known, timeZone }: QuestionFacts): readonly CardField[] {
  const shown = { ...known, ...question.answer?.arguments }
  const reader = { timeZone, language: question.language }
  return fieldsIn(question, shown, timeZone)
    .filter(({ name }) => shown[name] !== undefined)
    .map(({ name, label }) => {
      const chosen = question.asked.find((asked) => asked.field === name && asked.found)?.options
      const found = chosen?.find((option) => option.value === shown[name])
      return { label, value: found?.label ?? shownArgument(name, shown[name], question.schema, reader) }
    })
}

/** The arguments as fields, in the order of the tool. */
export function fieldsIn(
  { schema, language }: Question,
  args: Readonly<Record<string, unknown>>,
  timeZone: string,
): readonly FormField[] {
  return formFields(schema, args, language, timeZone)
}

/** What is still open, in a sentence for each kind. */
function openPoints({ question, arguments: known }: QuestionFacts): string {
  const words = phrases(question.language)
  const missing = question.asked.filter((asked) => asked.missing).map((asked) => asked.label)
  const others = question.asked.filter((asked) => !asked.missing)
  return [
    ...(missing.length > 0 ? [words.stillNeeded(missing)] : []),
    ...others.map(({ field, label, problem, found }) =>
      found
        ? words.whichIsMeant(label, shownValue(known[field]))
        : label === ''
          ? sentence(problem)
          : words.isWrong(label, problem),
    ),
  ].join('\n')
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
}
