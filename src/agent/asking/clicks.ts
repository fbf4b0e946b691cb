import type { Clock } from '../../base/clock.ts'
import { type Language, phrases } from '../../base/words.ts'
import type { ActionEvent, FormEvent } from '../../channel/events.ts'
import type { Receipt } from '../../channel/port.ts'
import { alignArguments } from '../../tools/arguments/alignment.ts'
import { argumentsOf, shownArgument } from '../../tools/arguments/forms.ts'
import { propertiesOf } from '../../tools/arguments/json-schema.ts'
import type { ToolRegistry } from '../../tools/registry.ts'
import type { ArgumentProblem } from '../../tools/tool.ts'
import { checkBySchema } from '../approving/editing.ts'
import { chooseAction, fieldsIn, fillAction, questionCard, questionForm } from './card.ts'
import { choiceIn } from './question.ts'
import type { AskedFacts, GivenAnswer, Questions } from './questions.ts'

/** What is answered to a click on a question, and the session that has to go on. */
interface Clicked {
  readonly receipt: Receipt
  readonly wakes?: string
}

/** Clicks on the cards of questions, and their forms: decided at once, each with an answer. */
export interface AskingClicks {
  /** Nothing where it is no click on a question. */
  take(event: ActionEvent | FormEvent): Promise<Clicked | undefined>
}

export function createAskingClicks(parts: {
  readonly questions: Questions
  readonly registry: ToolRegistry
  readonly clock: Clock
  /** Where a person's own language is not known. */
  readonly language: Language
}): AskingClicks {
  const { questions, registry, clock } = parts
  const says = (notice: string): Clicked => ({ receipt: { kind: 'answered', notice } })

  return {
    async take(event) {
      const isChoice = event.kind === 'action' && event.action === chooseAction
      if (!isChoice && event.action !== fillAction) return undefined
      const [, id = '', index] = /^(call_[0-9a-f]+)(?::(\d{1,3}))?$/.exec(event.value ?? '') ?? []
      const looked = id === '' ? undefined : await questions.look(id, event)
      if (!looked) return says(phrases(parts.language).noSuchCard)
      const { facts } = looked
      const words = phrases(facts.question.language)
      if (!looked.own) return says(words.onlyMayAnswer(facts.person))
      if (facts.status !== 'open' || new Date(facts.question.expiresAt) <= clock.now()) {
        // The platform may tell of the click that answered it once more; the statement knows.
        if (event.kind === 'action' && !isChoice) return late(facts)
        return decide(facts, undefined, event)
      }
      if (isChoice) {
        const answer = chosen(facts, Number(index))
        return answer ? decide(facts, answer, event) : says(words.buttonGone)
      }
      if (event.kind === 'action') return { receipt: { kind: 'answered', form: questionForm(facts) } }
      return filledIn(facts, event)
    },
  }

  /** What was sent is checked as the model's arguments are; what is wrong is said beside its field. */
  async function filledIn(facts: AskedFacts, event: FormEvent): Promise<Clicked> {
    const { schema } = facts.question
    const moment = { now: clock.now(), timeZone: facts.timeZone }
    const sent = argumentsOf(schema, event.fields, facts.arguments, facts.timeZone)
    const { args } = alignArguments(schema, sent, moment)
    const problems = await problemsOf(facts, args)
    if (problems.length === 0) return decide(facts, answerOf(facts, args), event)
    const form = questionForm(facts)
    const wrong = new Map(problems.map(({ field, problem }) => [field.split('.')[0] ?? '', problem]))
    const shown = new Set(form.fields.map(({ name }) => name))
    const general = [...wrong]
      .filter(([field]) => !shown.has(field))
      .map(([field, problem]) => (field === '' ? problem : `${field}: ${problem}`))
    const { error: _, ...plain } = form
    return {
      receipt: {
        kind: 'answered',
        form: {
          ...plain,
          ...(general.length > 0 ? { error: general.join('; ') } : {}),
          fields: form.fields.map(({ error: before, ...field }) => ({
            ...field,
            value: event.fields[field.name] ?? field.value,
            ...(wrong.has(field.name) ? { error: wrong.get(field.name)! } : {}),
          })),
        },
      },
    }
  }

  async function problemsOf(
    facts: AskedFacts,
    args: Readonly<Record<string, unknown>>,
  ): Promise<readonly ArgumentProblem[]> {
    const { question, personId, thread, timeZone } = facts
    const tool = registry.find(facts.tool)
    const checked = tool
      ? await tool.check(args, { now: clock.now(), timeZone, language: question.language, personId, thread })
      : checkBySchema(question.schema, args)
    if (checked.ok) return []
    const properties = propertiesOf(question.schema)
    // A name in words is looked up in the conversation, where the turn goes on.
    return checked.problems.filter(
      ({ field, missing }) => missing || properties.get(field)?.['x-entity'] === undefined,
    )
  }

  async function decide(
    facts: AskedFacts,
    answer: GivenAnswer | undefined,
    event: ActionEvent | FormEvent,
  ): Promise<Clicked> {
    const decision = await questions.answer(facts.id, answer, event)
    const words = phrases(facts.question.language)
    switch (decision.kind) {
      case 'repeated':
        return { receipt: { kind: 'repeated' } }
      case 'unknown':
        return says(words.noSuchCard)
      case 'found':
        if (!decision.own) return says(words.onlyMayAnswer(facts.person))
        if (!decision.decided) return late(decision.facts)
        return {
          receipt: { kind: 'answered', notice: words.answerTaken, ...cardOf(decision.facts) },
          wakes: decision.facts.sessionId,
        }
      default:
        return decision satisfies never
    }
  }

  function late(facts: AskedFacts): Clicked {
    const words = phrases(facts.question.language)
    const isAnswered = facts.status === 'given' || facts.status === 'answered'
    const notice = isAnswered ? words.alreadyAnswered : words.askedNoLongerNotice
    return { receipt: { kind: 'answered', notice, ...cardOf(facts) } }
  }

  function cardOf(facts: AskedFacts): Pick<Extract<Receipt, { kind: 'answered' }>, 'card' | 'latest'> {
    return {
      card: questionCard(facts, clock.now()),
      latest: async () => {
        const [now] = await questions.of(facts.sessionId, [facts.id])
        return now && questionCard(now, clock.now())
      },
    }
  }
}

/** The answer that one of the choices is. */
function chosen(facts: AskedFacts, index: number): GivenAnswer | undefined {
  const choice = choiceIn(facts.question)
  const option = choice?.options[index]
  if (!choice || !option) return undefined
  const args = argumentsOf(facts.question.schema, { [choice.field]: option.value }, facts.arguments)
  return answerOf(facts, args)
}

/** What a person has given, as arguments and in words. */
function answerOf(facts: AskedFacts, args: Readonly<Record<string, unknown>>): GivenAnswer {
  const { question, arguments: known, timeZone } = facts
  const reader = { timeZone, language: question.language }
  const optionOf = (field: string, value: unknown) =>
    question.asked
      .find((asked) => asked.field === field && asked.found)
      ?.options?.find((option) => option.value === value)
  const lines = fieldsIn(question, args, timeZone).flatMap(({ name, label }) => {
    if (JSON.stringify(args[name]) === JSON.stringify(known[name])) return []
    const value =
      optionOf(name, args[name])?.label ?? shownArgument(name, args[name], question.schema, reader)
    return [`${label}: ${value === '' ? phrases(question.language).none : value}`]
  })
  return {
    arguments: args,
    exact: Object.keys(args).filter((field) => optionOf(field, args[field]) !== undefined),
    text: lines.length > 0 ? lines.join('\n') : question.title,
  }
}
