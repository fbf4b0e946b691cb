import type { ChatBody, ScriptedReply } from '../support/model.ts'

/** The request of the issue, in the languages that are shipped. */
export const requests = {
  en: {
    text: "check whether Zhang submitted last week's expenses; if not, remind him; then mail the result to Director Wang",
    person: 'Zhang',
    director: 'Director Wang',
    steps: [
      "check whether Zhang submitted last week's expenses",
      'remind him',
      'mail the result to Director Wang',
    ],
    condition: 'if not, by the outcome of 1',
    missing: 'Zhang submitted nothing last week',
    there: 'Zhang submitted last week',
    reminder: 'Please submit the expenses of last week.',
    reminded: 'I reminded him.',
    mailed: 'The result is mailed to Director Wang.',
    notMailed: 'The mail to Director Wang was not sent.',
  },
  zh: {
    text: '帮我查张工上周报销，如果没提交就提醒他，再把结果发邮件给王总监',
    person: '张工',
    director: '王总监',
    steps: ['查张工上周报销', '提醒他', '把结果发邮件给王总监'],
    condition: '如果没提交, by the outcome of 1',
    missing: '张工上周没有提交报销',
    there: '张工上周的报销已经提交',
    reminder: '请提交上周的报销。',
    reminded: '已提醒他。',
    mailed: '结果已发邮件给王总监。',
    notMailed: '给王总监的邮件没有发送。',
  },
} as const

export type ZhangRequest = (typeof requests)[keyof typeof requests]

interface Called {
  readonly name: string
  readonly result: string
}

/**
 * A model that carries the request out as a good one would. It knows only what each request holds: who "him" is, which
 * days "last week" means and which steps there are stands in the lines that code wrote into the system text.
 */
export function zhangModel(request: ZhangRequest): (body: ChatBody) => ScriptedReply {
  return (body) => {
    const system = String(body.messages[0]?.content)
    const calls: Called[] = body.messages.flatMap((message) =>
      (message.tool_calls ?? []).map((call) => ({
        name: call.function.name,
        result: String(body.messages.find((other) => other.tool_call_id === call.id)?.content ?? ''),
      })),
    )
    const called = (name: string) => calls.find((call) => call.name.endsWith(name))
    const call = (name: string, args: Readonly<Record<string, unknown>>, text?: string): ScriptedReply => {
      const tool = body.tools?.find((offered) => offered.function.name.endsWith(name))
      if (!tool)
        return { text: `There is no ${name} among ${body.tools?.map((one) => one.function.name).join()}.` }
      return { ...(text ? { text } : {}), calls: [{ name: tool.function.name, arguments: args }] }
    }

    const days = /"(?:last week|上周)" = (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)/.exec(system)
    const person = /"(?:him|他)" = ([^;.\n]+)/.exec(system)?.[1]
    const director = /\[open\] (?:mail the result to |把结果发邮件给)(.+)/.exec(system)?.[1]
    const condition = /\[open\] \((.+, by the outcome of 1)\)/.exec(system)?.[1]
    if (!days || !person || !director || !condition) return { text: `The lines do not say it: ${system}` }

    const expenses = called('find_expenses')
    if (!expenses) return call('find_expenses', { person, from: days[1], to: days[2] })
    const isThere = !/"count":0\b/.test(expenses.result)
    const result = isThere ? request.there : request.missing
    if (!isThere && !called('send_message'))
      return call('send_message', { to: person, text: request.reminder }, result)
    const mail = called('send_mail')
    if (!mail)
      return call('send_mail', { to: director, subject: result, text: `${result} (${days[1]}/${days[2]})` })
    return {
      text: [
        `${result}.`,
        ...(/"sent":\s*true/.test(called('send_message')?.result ?? '') ? [request.reminded] : []),
        /"sent":\s*true/.test(mail.result) ? request.mailed : request.notMailed,
      ].join(' '),
    }
  }
}
