import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/file.ts'
import { loadSettings } from '../../src/config/load.ts'

/** A small claim without a mistake. */
const claim = {
  title: 'Claim',
  description: 'the person wants money back',
  initial: 'uploading',
  states: {
    uploading: {
      accepts: ['file'],
      collect: { receipt: { type: 'file' }, amount: { type: 'number' }, boss: { type: 'person' } },
      on: { file: 'confirming', timeout: 'gone' },
      timeoutMinutes: 60,
    },
    confirming: {
      confirm: { title: 'Confirm', fields: ['amount'] },
      on: { confirmed: 'submitting', cancelled: 'uploading' },
    },
    submitting: {
      call: { tool: 'create_ticket', arguments: { title: 'For {requester}: {amount}' }, approver: 'boss' },
      on: { succeeded: 'done', failed: 'gone' },
    },
    done: { end: true },
    gone: { end: true },
  },
  cancel: { to: 'gone' },
}

type Draft = Record<string, unknown>

/** The mistakes where a part of the claim is changed. */
function wrong(change: (states: Record<string, Draft>, workflow: Draft) => void): readonly string[] {
  const copy = structuredClone(claim) as unknown as Draft & { states: Record<string, Draft> }
  change(copy.states, copy)
  const read = readConfig(JSON.stringify({ workflows: { claim: copy } }), 'hermes.config.json')
  return 'mistakes' in read ? read.mistakes : []
}
const at = 'hermes.config.json: workflows.claim'

describe('a declared workflow', () => {
  it('is taken as it is where nothing is wrong about it', () => {
    expect(wrong(() => {})).toEqual([])
  })

  it.each<[string, (states: Record<string, Draft>, workflow: Draft) => void, string[]]>([
    [
      'a target that there is not',
      ({ confirming }) => {
        confirming!.on = { confirmed: 'submiting', cancelled: 'uploading' }
      },
      [
        `${at}.states.confirming.on.confirmed names the state "submiting", which there is not. Did you mean submitting?`,
      ],
    ],
    [
      'a first state that there is not',
      (_, workflow) => {
        workflow.initial = 'start'
      },
      [
        `${at}.initial names the state "start", which there is not. There are: uploading, confirming, submitting, done, gone.`,
      ],
    ],
    [
      'a state that nothing leads to',
      (states) => {
        states.lost = { accepts: ['text'], on: { text: 'done' } }
      },
      [`${at}.states.lost can't be reached: no state leads to it from "uploading" on.`],
    ],
    [
      'no end',
      (_, workflow) => {
        workflow.states = { uploading: { accepts: ['text'], on: { text: 'uploading' } } }
        workflow.cancel = { to: 'uploading' }
      },
      [
        `${at}.states has no end. Give at least one state "end": true.`,
        `${at}.cancel.to names uploading, which is no end.`,
      ],
    ],
    [
      'states that lead to no end',
      (states) => {
        states.confirming!.on = { confirmed: 'round', cancelled: 'uploading' }
        states.round = { accepts: ['text'], on: { text: 'round' } }
        states.uploading!.on = { file: 'round', timeout: 'submitting' }
        states.submitting!.on = { succeeded: 'done', failed: 'confirming' }
      },
      [`${at}.states.round leads to no end, whatever happens.`],
    ],
    [
      'a round without anybody',
      ({ submitting }) => {
        submitting!.on = { succeeded: 'done', failed: 'submitting' }
      },
      [`${at}.states.submitting goes round without waiting for anybody: submitting → submitting.`],
    ],
    [
      'something that never happens there',
      ({ confirming, uploading }) => {
        confirming!.on = { confirmed: 'submitting', cancelled: 'uploading', text: 'gone', succeeded: 'gone' }
        uploading!.timeoutMinutes = undefined
      },
      [
        `${at}.states.uploading.on.timeout never happens here: set "timeoutMinutes".`,
        `${at}.states.confirming.on.text never happens here: add "text" to "accepts".`,
        `${at}.states.confirming.on.succeeded never happens here: it has no "call" and no required tools.`,
      ],
    ],
    [
      'a word for what happens that there is not',
      ({ confirming }) => {
        confirming!.on = { confirmed: 'submitting', cancelled: 'uploading', confirm: 'gone' }
      },
      [`${at}.states.confirming.on.confirm is nothing that happens. Did you mean confirmed?`],
    ],
    [
      'ways that are missing',
      ({ submitting, uploading }) => {
        submitting!.on = { succeeded: 'done' }
        uploading!.on = { file: 'confirming' }
      },
      [
        `${at}.states.uploading.on does not say what follows on "timeout".`,
        `${at}.states.submitting.on does not say what follows on "failed".`,
      ],
    ],
    [
      'a forbidden jump that it makes itself',
      ({ uploading }) => {
        uploading!.forbidden = { confirming: 'Not yet.', nowhere: 'Never.' }
      },
      [
        `${at}.states.uploading.on.file leads to confirming, which is forbidden from here.`,
        expect.stringMatching(/forbidden\.nowhere names the state "nowhere", which there is not\./),
      ],
    ],
    [
      'a field that nobody collects',
      ({ submitting, confirming }) => {
        submitting!.call = {
          tool: 'create_ticket',
          arguments: { title: '{amuont} of {merchant}' },
          approver: 'amount',
        }
        confirming!.confirm = { title: 'Confirm', fields: ['total'] }
      },
      [
        `${at}.states.confirming.confirm.fields names the field "total", which no state collects.`,
        `${at}.states.submitting.call.approver must name a field of the type person.`,
        `${at}.states.submitting.call.arguments names the field "amuont", which no state collects. Did you mean amount?`,
        expect.stringMatching(/arguments names the field "merchant", which no state collects\./),
      ],
    ],
    [
      'an end that waits, and a state that is never left',
      ({ done, uploading }) => {
        done!.on = { text: 'gone' }
        done!.accepts = ['text']
        uploading!.on = {}
        uploading!.accepts = []
        uploading!.timeoutMinutes = undefined
        uploading!.collect = { boss: { type: 'person' } }
      },
      expect.arrayContaining([
        `${at}.states.done is an end, so it waits for nothing and nothing follows.`,
        `${at}.states.uploading.on is empty, so it is never left.`,
        `${at}.states.uploading.collect takes fields, but "accepts" is empty.`,
      ]) as unknown as string[],
    ],
    [
      'a choice of nothing',
      ({ uploading }) => {
        uploading!.accepts = ['file', 'choice']
        uploading!.on = { file: 'confirming', choice: 'confirming', timeout: 'gone' }
      },
      [`${at}.states.uploading.accepts takes a choice, but no field of "collect" has options.`],
    ],
    [
      'a setting that there is not',
      ({ uploading }) => {
        uploading!.accept = ['file']
      },
      [`${at}.states.uploading.accept is not a setting. Did you mean accepts?`],
    ],
  ])('with %s is told so, one line for each', (_, change, lines) => {
    expect(wrong(change)).toEqual(lines)
  })

  it('may stand in a file of its own, whose mistakes are told with its name', () => {
    const load = (files: Record<string, string>) =>
      loadSettings({ HERMES_CONFIG: 'conf/hermes.json' }, { folder: '/srv' }, (path) => files[path])
    const named = '{"workflows": {"claim": "claims/expense.json"}}'
    expect(load({ '/srv/conf/hermes.json': named })).toEqual({
      mistakes: ["conf/hermes.json: workflows.claim names claims/expense.json, which can't be read."],
    })
    const broken = { ...claim, initial: 'nowhere' }
    expect(
      load({ '/srv/conf/hermes.json': named, '/srv/conf/claims/expense.json': JSON.stringify(broken) }),
    ).toEqual({
      mistakes: [expect.stringMatching(/^claims\/expense\.json: initial names the state "nowhere"/)],
    })
    expect(
      load({ '/srv/conf/hermes.json': named, '/srv/conf/claims/expense.json': JSON.stringify(claim) }),
    ).toMatchObject({ config: { workflows: { claim: { initial: 'uploading' } } } })
  })
})
