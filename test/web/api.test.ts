import { describe, expect, it, onTestFinished } from 'vitest'
import { startWebChat, type WebChat } from '../support/web-chat.ts'
import { ask } from '../support/web-request.ts'

async function begin(options: Parameters<typeof startWebChat>[0] = {}): Promise<WebChat> {
  const chat = await startWebChat(options)
  onTestFinished(() => chat.stop())
  return chat
}

const hello = { user: 'Ann', text: 'Hello' }

describe('writing to a thread', () => {
  it('hands the message on as an event of that thread and person, and tells its id', async () => {
    const chat = await begin()
    const json = { ...hello, timeZone: 'Asia/Shanghai', language: 'zh-CN' }
    const answer = await ask(chat.port, 'POST', '/api/threads/tour/messages', { json })
    expect(answer.status).toBe(202)
    expect(chat.events).toMatchObject([
      {
        kind: 'message',
        postId: answer.json.id,
        text: 'Hello',
        addressed: true,
        threadKind: 'direct',
        thread: { channel: 'web', workspace: 'local', room: 'web', thread: 'tour' },
        author: { userId: 'Ann', name: 'Ann', timeZone: 'Asia/Shanghai', language: 'zh' },
      },
    ])
  })

  it('counts once however often it is sent with the same key', async () => {
    const chat = await begin()
    const json = { ...hello, key: 'k-1' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask(chat.port, 'POST', '/api/threads/tour/messages', { json })),
    )
    expect(chat.events).toHaveLength(1)
    expect(new Set(answers.map((answer) => answer.json.id)).size).toBe(1)
    expect(answers.every((answer) => answer.status === 202)).toBe(true)
  })

  it('counts the same key of another person or thread as another message', async () => {
    const chat = await begin()
    for (const [thread, user] of [
      ['one', 'Ann'],
      ['two', 'Ann'],
      ['one', 'Bob'],
    ]) {
      await ask(chat.port, 'POST', `/api/threads/${thread}/messages`, {
        json: { user, text: 'Hi', key: '1' },
      })
    }
    expect(chat.events).toHaveLength(3)
  })

  it('hands files on: texts and pictures as they are, others with the reason why they can not be read', async () => {
    const chat = await begin()
    const attachments = [
      { name: 'receipt.csv', mediaType: 'text/csv', text: 'Total,42' },
      { name: 'notes.txt', base64: Buffer.from('三楼').toString('base64') },
      { name: 'dot.png', mediaType: 'image/png', base64: 'AAAA' },
      { name: 'plan.pdf', mediaType: 'application/pdf', base64: 'AAAA' },
      { name: 'long.txt', mediaType: 'text/plain', text: 'x'.repeat(200_001) },
    ]
    const json = { user: 'Ann', text: '', attachments }
    const answer = await ask(chat.port, 'POST', '/api/threads/tour/messages', { json })
    expect(answer.status).toBe(202)
    expect(chat.events).toMatchObject([
      {
        kind: 'message',
        text: '',
        attachments: [
          { name: 'receipt.csv', mediaType: 'text/csv', size: 8, text: 'Total,42' },
          { name: 'notes.txt', text: '三楼' },
          { name: 'dot.png', image: 'data:image/png;base64,AAAA' },
          { name: 'plan.pdf', problem: "plan.pdf is of a kind that can't be read here." },
          { name: 'long.txt', problem: 'long.txt is too large: at most 200 KB are read.' },
        ],
      },
    ])
    for (const wrong of [
      { ...json, attachments: [...attachments, attachments[0]] },
      { ...json, attachments: [{ name: '/', text: 'x' }] },
      { ...json, attachments: [{ name: 'a.txt', base64: '***' }] },
      { ...json, attachments: [] },
    ])
      expect((await ask(chat.port, 'POST', '/api/threads/tour/messages', { json: wrong })).status).toBe(422)
    expect(chat.events).toHaveLength(1)
  })

  it('takes what begins with a slash and a word as a command', async () => {
    const chat = await begin({
      answer: (event) =>
        event.kind === 'command' ? { kind: 'answered', notice: '**Nothing** yet.' } : undefined,
    })
    const send = (text: string) =>
      ask(chat.port, 'POST', '/api/threads/tour/messages', { json: { user: 'Ann', text } })
    const answer = await send('/memory printers on floor 3')
    expect(answer.json.receipt).toMatchObject({
      kind: 'answered',
      notice: '**Nothing** yet.',
      html: '<p><strong>Nothing</strong> yet.</p>\n',
    })
    await send('/hermes help')
    await send('/etc/hosts looks wrong')
    expect(chat.events.map((event) => ('name' in event ? [event.name, event.text] : event.kind))).toEqual([
      ['memory', 'printers on floor 3'],
      ['help', ''],
      'message',
    ])
  })

  it('says that it is not available before the channel listens, so that the client sends again', async () => {
    const chat = await begin({ listen: false })
    const answer = await ask(chat.port, 'POST', '/api/threads/tour/messages', { json: hello })
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBeDefined()
  })

  it('answers 503 where the event could not be kept, and takes the same key again', async () => {
    let broken = true
    const chat = await begin({
      answer: () => {
        if (broken) throw new Error('The database is away.')
        return undefined
      },
    })
    const json = { ...hello, key: 'k' }
    const answer = await ask(chat.port, 'POST', '/api/threads/tour/messages', { json })
    expect(answer.status).toBe(503)
    expect(answer.text).not.toContain('database')
    broken = false
    expect((await ask(chat.port, 'POST', '/api/threads/tour/messages', { json })).status).toBe(202)
    expect(chat.events).toHaveLength(1)
  })
})

describe('changing what was written', () => {
  it('lets people edit and remove their own messages', async () => {
    const chat = await begin()
    const { json } = await ask(chat.port, 'POST', '/api/threads/tour/messages', { json: hello })
    const path = `/api/threads/tour/messages/${json.id}`
    const edit = { user: 'Ann', text: 'Hello again', key: 'e1' }
    expect((await ask(chat.port, 'PATCH', path, { json: edit })).status).toBe(202)
    expect((await ask(chat.port, 'PATCH', path, { json: edit })).status).toBe(202)
    expect((await ask(chat.port, 'DELETE', path, { json: { user: 'Ann' } })).status).toBe(202)
    expect(chat.events.slice(1)).toMatchObject([
      { kind: 'edit', postId: json.id, text: 'Hello again' },
      { kind: 'removal', postId: json.id },
    ])
  })

  it('refuses to change what another person, Hermes or nobody wrote', async () => {
    const chat = await begin()
    const mine = chat.threads.put('tour', { role: 'user', author: 'Ann', text: 'Mine' })
    const its = chat.threads.put('tour', { role: 'assistant', text: 'Its own' })
    const change = (id: string) =>
      ask(chat.port, 'PATCH', `/api/threads/tour/messages/${id}`, { json: { user: 'Bob', text: 'Changed' } })
    expect((await change(mine)).status).toBe(403)
    expect((await change(its)).status).toBe(403)
    expect((await change('m99')).status).toBe(404)
    expect(chat.events).toEqual([])
  })
})

describe('pressing buttons', () => {
  it('hands clicks and forms on and gives back what was decided', async () => {
    const chat = await begin({ answer: () => ({ kind: 'answered', notice: 'Confirmed.' }) })
    const press = (json: object) => ask(chat.port, 'POST', '/api/actions', { json: { user: 'Ann', ...json } })
    const click = await press({ action: 'approval.confirm', value: 'apr_1', thread: 'tour', key: 'c' })
    expect(click).toMatchObject({ status: 200, json: { kind: 'answered', notice: 'Confirmed.' } })
    await press({ action: 'approval.edit', value: 'apr_1', thread: 'tour', fields: { title: 'New' } })
    expect(chat.events).toMatchObject([
      { kind: 'action', action: 'approval.confirm', value: 'apr_1', thread: { thread: 'tour' } },
      { kind: 'form', action: 'approval.edit', fields: { title: 'New' } },
    ])
    expect(
      (await press({ action: 'approval.confirm', value: 'apr_1', thread: 'tour', key: 'c' })).json,
    ).toEqual({
      kind: 'repeated',
    })
  })

  it('finds the thread of a button where the client does not name it', async () => {
    const chat = await begin()
    for (const thread of ['one', 'two', 'three']) {
      chat.threads.put(thread, { role: 'user', author: 'Ann', text: 'Hi' })
    }
    const action = { label: 'Confirm', action: 'approval.confirm', value: 'apr_7' }
    const card = { id: 'apr_7', title: 'Create ticket', fields: [], tone: 'open' as const, actions: [action] }
    chat.threads.put('one', { role: 'assistant', text: '', cards: [card] })
    await ask(chat.port, 'POST', '/api/actions', { json: { user: 'Ann', ...action } })
    expect(chat.events[0]!.thread.thread).toBe('one')
  })
})

describe('reading', () => {
  it('gives the messages with Markdown, HTML, cards and the state', async () => {
    const chat = await begin()
    chat.threads.put('tour', { role: 'user', author: 'Ann', text: 'Hello' })
    chat.threads.put('tour', {
      role: 'assistant',
      text: '**Hi** <script>alert(1)</script>',
      turnId: 'turn_1',
    })
    const { json } = await ask(chat.port, 'GET', '/api/threads/tour')
    expect(json).toMatchObject({
      state: 'idle',
      messages: [
        {
          role: 'user',
          author: 'Ann',
          text: 'Hello',
          cards: [],
          at: expect.any(String),
          id: expect.any(String),
        },
        {
          role: 'assistant',
          turn: 'turn_1',
          html: expect.stringContaining('<strong>Hi</strong> &lt;script&gt;'),
        },
      ],
    })
    expect((await ask(chat.port, 'GET', '/api/threads/nothing')).json).toMatchObject({
      messages: [],
      state: 'idle',
    })
  })

  it('gives earlier messages page by page', async () => {
    const chat = await begin()
    const ids = Array.from({ length: 450 }, (_, n) =>
      chat.threads.put('long', { role: 'note', text: `n${n}` }),
    )
    const page = (await ask(chat.port, 'GET', `/api/threads/long?before=${ids[400]}`)).json
    expect(page.messages).toHaveLength(200)
    expect(page.messages.at(-1).id).toBe(ids[399])
    expect(page.earlier).toBe(200)
    expect((await ask(chat.port, 'GET', '/api/threads/long?before=unknown')).json.messages).toEqual([])
    expect((await ask(chat.port, 'GET', '/api/threads/long')).json.messages).toHaveLength(450)
  })

  it('lists the threads of a person and gives the trace of a turn', async () => {
    const chat = await begin()
    chat.threads.put('tour', { role: 'user', author: 'Ann', text: 'Hello' })
    chat.threads.put('other', { role: 'user', author: 'Bob', text: 'Hi' })
    const node = { name: 'turn', startedMs: 0, durationMs: 5, outcome: 'ok', attributes: {}, children: [] }
    chat.threads.traces.set('turn_1', [node])
    const list = await ask(chat.port, 'GET', '/api/threads?user=Ann')
    expect(list.json.threads).toMatchObject([{ thread: 'tour', title: 'Hello', state: 'idle' }])
    expect((await ask(chat.port, 'GET', '/api/threads/tour/turns/turn_1/trace')).json).toEqual({
      trace: [node],
    })
    expect((await ask(chat.port, 'GET', '/api/threads/tour/turns/turn_2/trace')).status).toBe(404)
  })

  it('tells an empty thread how to begin', async () => {
    const suggestion = { label: 'Try it', action: 'suggest', value: 'Do it' }
    const chat = await begin({ answer: () => ({ kind: 'answered', notice: '*Hi*', actions: [suggestion] }) })
    const json = { user: 'Ann', language: 'zh' }
    const answer = await ask(chat.port, 'POST', '/api/threads/new/opened', { json })
    expect(chat.events).toMatchObject([
      { kind: 'opened', thread: { thread: 'new' }, author: { language: 'zh' } },
    ])
    expect(answer.json.receipt).toMatchObject({ html: '<p><em>Hi</em></p>\n', actions: [suggestion] })
  })
})

describe('what is refused on loopback', () => {
  const write = (chat: WebChat, headers: Record<string, string>, body = JSON.stringify(hello)) =>
    ask(chat.port, 'POST', '/api/threads/tour/messages', {
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    })

  it('answers requests for localhost and loopback addresses', async () => {
    const chat = await begin()
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'LOCALHOST']) {
      expect((await write(chat, { Host: `${host}:${chat.port}` })).status).toBe(202)
    }
    expect(
      (await write(chat, { Host: `localhost:${chat.port}`, Origin: `http://localhost:${chat.port}` })).status,
    ).toBe(202)
  })

  it('refuses another host, as after DNS rebinding', async () => {
    const chat = await begin()
    const foreign = [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
      'a@localhost',
    ]
    for (const host of foreign) {
      const answer = await write(chat, { Host: `${host}:${chat.port}` })
      expect([400, 403], host).toContain(answer.status)
    }
    expect(
      (await ask(chat.port, 'GET', '/api/threads/tour', { headers: { Host: 'evil.example' } })).status,
    ).toBe(403)
    expect((await ask(chat.port, 'GET', '/', { headers: { Host: 'evil.example' } })).status).toBe(403)
    expect(chat.events).toEqual([])
  })

  it('refuses pages of another origin, also to press Confirm and to read', async () => {
    const chat = await begin()
    const origins = [
      'https://evil.example',
      'null',
      `http://localhost:${chat.port + 1}`,
      `http://127.0.0.1:${chat.port}`,
    ]
    for (const Origin of origins) {
      const headers = { Host: `localhost:${chat.port}`, Origin, 'Content-Type': 'application/json' }
      expect((await write(chat, headers)).status).toBe(403)
      const press = { user: 'Ann', action: 'approval.confirm', value: 'apr_1' }
      const answer = await ask(chat.port, 'POST', '/api/actions', { headers, json: press })
      expect(answer.json).toMatchObject({ status: 403, code: 'web.origin' })
      expect((await ask(chat.port, 'GET', '/api/threads/tour/events', { headers })).status).toBe(403)
    }
    const noCors = { Host: `localhost:${chat.port}`, 'Sec-Fetch-Site': 'cross-site' }
    expect((await ask(chat.port, 'GET', '/api/threads/tour', { headers: noCors })).status).toBe(403)
    expect(chat.events).toEqual([])
  })

  it('refuses what a proxy hands on, since the name could be anyone’s', async () => {
    const chat = await begin()
    expect((await write(chat, { 'X-Forwarded-For': '203.0.113.9' })).json.code).toBe('web.proxy')
  })

  it('refuses any content type but JSON, which no plain form can send', async () => {
    const chat = await begin()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      expect((await write(chat, { 'Content-Type': type })).status).toBe(415)
    }
    expect((await write(chat, { 'Content-Type': 'application/json; charset=utf-8' })).status).toBe(202)
  })

  it('refuses what is too large, and says so as a problem', async () => {
    const chat = await begin()
    const large = await write(chat, {}, JSON.stringify({ user: 'Ann', text: 'x'.repeat(7_000_000) }))
    expect(large.json).toMatchObject({ status: 413, title: 'Too large' })
    expect(large.headers['content-type']).toContain('application/problem+json')
    const long = await write(chat, {}, JSON.stringify({ user: 'Ann', text: 'x'.repeat(20_001) }))
    expect(long.json).toMatchObject({ status: 422, errors: [{ pointer: '#/text' }] })
  })

  it.each([
    ['no JSON', '{"user":', 400],
    ['no user', '{"text":"Hi"}', 422],
    ['a blank name', '{"user":"  ","text":"Hi"}', 422],
    ['a name with a line break', '{"user":"A\\nB","text":"Hi"}', 422],
    ['a name with a turn of direction', '{"user":"A\\u202eB","text":"Hi"}', 422],
    ['a name of 81 characters', JSON.stringify({ user: 'x'.repeat(81), text: 'Hi' }), 422],
    ['blank text', '{"user":"Ann","text":" \\n "}', 422],
    ['text that is no text', '{"user":"Ann","text":7}', 422],
    ['a key with spaces', '{"user":"Ann","text":"Hi","key":"a b"}', 422],
  ])('refuses %s', async (_what, body, status) => {
    const chat = await begin()
    expect((await write(chat, {}, body)).status).toBe(status)
    expect(chat.events).toEqual([])
  })

  it('takes a name of 80 characters in any script', async () => {
    const chat = await begin()
    expect((await write(chat, {}, JSON.stringify({ user: '名'.repeat(80), text: 'Hi' }))).status).toBe(202)
  })

  it.each(['a%20b', 'a%2Fb', 'x'.repeat(65), '%E5%90%8D', 'a%0A'])(
    'refuses the thread name %s',
    async (name) => {
      const chat = await begin()
      const answer = await ask(chat.port, 'POST', `/api/threads/${name}/messages`, { json: hello })
      expect([404, 422]).toContain(answer.status)
      expect((await ask(chat.port, 'GET', `/api/threads/${name}`)).status).not.toBe(200)
      expect(chat.events).toEqual([])
    },
  )

  it('answers an unknown address of the API with a problem', async () => {
    const chat = await begin()
    expect((await ask(chat.port, 'GET', '/api/nothing')).json).toMatchObject({ status: 404 })
  })
})

describe('on an address that others can reach', () => {
  it('is closed without a token, and its health says why', async () => {
    const chat = await begin({ host: '0.0.0.0' })
    expect((await ask(chat.port, 'POST', '/api/threads/tour/messages', { json: hello })).status).toBe(403)
    expect((await ask(chat.port, 'GET', '/')).status).toBe(403)
    expect(chat.channel.health()).toMatchObject({
      state: 'down',
      reason: expect.stringContaining('HERMES_CONSOLE_TOKEN'),
    })
  })

  it('takes the token as Bearer, and any host with it', async () => {
    const chat = await begin({ host: '0.0.0.0', token: 'a long secret' })
    const write = (headers: Record<string, string>) =>
      ask(chat.port, 'POST', '/api/threads/tour/messages', { json: hello, headers })
    expect((await write({})).json).toMatchObject({ status: 401, code: 'web.token' })
    expect((await write({ Authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await write({ Authorization: 'Bearer a long secret', Host: 'hermes.example' })).status).toBe(202)
  })

  it('shows a login instead of the page, and trusts the cookie that it sets', async () => {
    const chat = await begin({ host: '0.0.0.0', token: 'a long secret' })
    const page = await ask(chat.port, 'GET', '/')
    expect(page.status).toBe(401)
    expect(page.text).toContain('type="password"')
    const login = (token: string, headers: Record<string, string> = {}) =>
      ask(chat.port, 'POST', '/login', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ token }).toString(),
      })
    expect((await login('wrong')).headers['set-cookie']).toBeUndefined()
    expect((await login('a long secret', { Origin: 'https://evil.example' })).status).toBe(403)
    const signedIn = await login('a long secret')
    expect(signedIn.status).toBe(303)
    const [set = ''] = signedIn.headers['set-cookie'] as string[]
    expect(set).toMatch(/HttpOnly/)
    expect(set).toMatch(/SameSite=Strict/)
    expect(set).not.toContain('secret')
    const Cookie = set.split(';')[0]!
    expect((await ask(chat.port, 'GET', '/', { headers: { Cookie } })).status).toBe(200)
    const foreign = { Cookie, Origin: 'https://evil.example' }
    expect(
      (await ask(chat.port, 'POST', '/api/threads/t/messages', { json: hello, headers: foreign })).status,
    ).toBe(403)
    expect(
      (await ask(chat.port, 'POST', '/api/threads/t/messages', { json: hello, headers: { Cookie } })).status,
    ).toBe(202)
  })

  it('slows down whoever guesses tokens', async () => {
    const chat = await begin({ host: '0.0.0.0', token: 'a long secret' })
    const guess = () =>
      ask(chat.port, 'POST', '/login', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'token=guess',
      })
    for (let n = 0; n < 10; n += 1) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
  })
})

describe('the page', () => {
  it('comes with a policy that allows nothing inline and nothing from elsewhere', async () => {
    const chat = await begin()
    const page = await ask(chat.port, 'GET', '/')
    expect(page.status).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|style="|https?:\/\//)
    for (const [, path] of page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const file = await ask(chat.port, 'GET', path!)
      expect(file.status).toBe(200)
      const again = await ask(chat.port, 'GET', path!, {
        headers: { 'If-None-Match': String(file.headers.etag) },
      })
      expect(again.status).toBe(304)
    }
    expect((await ask(chat.port, 'GET', '/assets/..%2fweb.ts')).status).toBe(404)
  })
})
