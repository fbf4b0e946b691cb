import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import type { ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { createWebChannel } from '../adapters/web/web.ts'
import { createEditing } from './agent/approving/editing.ts'
import { createFreshness } from './agent/approving/freshness.ts'
import { createResolveNames } from './agent/approving/names-in-forms.ts'
import { createAskingClicks } from './agent/asking/clicks.ts'
import { createQuestions } from './agent/asking/questions.ts'
import { createCommands } from './agent/commands/commands.ts'
import { createDeskClicks } from './agent/desk/clicks.ts'
import { createDeskCases } from './agent/desk/desk.ts'
import { createGateway } from './agent/gateway.ts'
import type { AgentParts } from './agent/parts.ts'
import { createReach } from './agent/people/reach.ts'
import { runSession } from './agent/running/runner.ts'
import { createDeliveries } from './agent/sending/delivery.ts'
import { createKeep } from './agent/sending/keeping.ts'
import { createPost } from './agent/sending/outgoing.ts'
import { createFindPlace } from './agent/sending/places.ts'
import { createCompacting } from './agent/thinking/compacting.ts'
import { dayLimit } from './agent/turn/limits.ts'
import { createThreadReader } from './agent/viewing/view.ts'
import { readChoice } from './agent/workflows/choices.ts'
import { HermesError } from './base/errors.ts'
import { createIds } from './base/ids.ts'
import type { ChannelName } from './channel/events.ts'
import type { Channel } from './channel/port.ts'
import { healthRoutes, readiness } from './console/health.ts'
import { answerNear } from './jobs/near.ts'
import { type Answering, answerBells, createBells, type QueueHome } from './jobs/queue.ts'
import { type Sweep, startSweep } from './jobs/sweep.ts'
import type { Mcp } from './mcp/mcp.ts'
import { createMemory } from './memory/memory.ts'
import type { ChatModel } from './model/chat.ts'
import { createModel } from './model/selection.ts'
import { createTokens } from './model/tokens.ts'
import { createMetrics } from './observe/metrics.ts'
import type { Embedder } from './search/embedder.ts'
import { rememberRecent } from './search/recent.ts'
import { createWords, type Words } from './search/words.ts'
import { keepDirectory } from './session/directory.ts'
import { createDrafts } from './session/drafts.ts'
import { createInbox } from './session/inbox.ts'
import { createLeases } from './session/lease.ts'
import { createNotices } from './session/notices.ts'
import { createPeople } from './session/people.ts'
import { createProfiles } from './session/profiles.ts'
import { installationName } from './store/installation.ts'
import { createApprovals } from './tools/approvals/database.ts'
import { createGrants } from './tools/approvals/grants.ts'
import { keepGroups } from './tools/approvals/permission.ts'
import { groupsOf } from './tools/approvals/policies.ts'
import { shareClicks } from './tools/approvals/shared-clicks.ts'
import { createTimeouts } from './tools/execution/timeouts.ts'
import { createPageReader } from './tools/pages.ts'
import { createChoosing } from './tools/selection/choosing.ts'
import { createMeanings } from './tools/selection/meanings.ts'
import { createSuccessRates } from './tools/selection/success.ts'
import { createTicketBook } from './tools/ticket-book.ts'
import { createAddresses } from './wiring/addresses.ts'
import { createAftercare, createIsOver } from './wiring/aftercare.ts'
import { agentSettings } from './wiring/agent-settings.ts'
import { discordChannel, slackChannel, speakerAmong, webRooms } from './wiring/channels.ts'
import { openDatabase } from './wiring/database.ts'
import { deskRoom } from './wiring/desk.ts'
import { createEmbedder } from './wiring/embedding.ts'
import { healthParts } from './wiring/health.ts'
import { createLearning, learnModel } from './wiring/learning.ts'
import { openMcp } from './wiring/mcp.ts'
import { measured } from './wiring/measuring.ts'
import { commandMemory, prepareRecallOf, recallFrom } from './wiring/memory.ts'
import { createMeter } from './wiring/meter.ts'
import { mistakesIn } from './wiring/mistakes.ts'
import type { AppOptions } from './wiring/options.ts'
import { linkCommand, personEntries, roomEntries } from './wiring/people.ts'
import { profileModels } from './wiring/profile-models.ts'
import { closeServer, listen } from './wiring/server.ts'
import { createTools } from './wiring/tools.ts'
import { createUpkeep } from './wiring/upkeep.ts'

/** A running Hermes. */
export interface App {
  /** Where the web chat is, for example `http://127.0.0.1:3210`. */
  readonly address: string
  /** How the model is called, and how each part stands, for the lines at start. */
  readonly model: ChatModel
  readonly mcp: Mcp
  /** The warnings about the MCP file. */
  readonly warnings: readonly string[]
  readiness(): ReturnType<typeof readiness>
  /** Resolves when something ended that Hermes can't live without. */
  readonly failed: Promise<HermesError>
  /** Ends cleanly: turns stop at their next step and go on at the next start. */
  stop(): Promise<void>
}

/**
 * Turns that one process runs side by side; most of their time is spent waiting for a model. As many again where it
 * also answers bells of other processes.
 */
const concurrency = 32

/** How long the start waits for MCP servers to list their tools, in ms. They go on connecting after that. */
const mcpPatience = 2_000

/** Builds every part and starts it. The only place that knows them all. */
export async function startApp(options: AppOptions): Promise<App> {
  const { settings, config, root, clock, log } = options
  const ids = createIds(() => clock.now().getTime())
  const stopping = new AbortController()
  const owner = `${process.pid}-${ids('inst').slice(-12)}`
  const works = settings.role !== 'gateway'
  const listens = settings.role !== 'worker'

  // The database.
  const { db, url, embedded, close: closeDatabase } = await openDatabase(options)

  // What the layers share.
  const metrics = createMetrics()
  const notices = createNotices()
  const tokens = createTokens()
  const count = (text: string) => tokens.countTokens(text)
  const people = createPeople(db, config.timeZone)
  const model = createModel(settings.model, { config: config.model, log, clock, tokens })
  const modelOf = profileModels(model, settings.model, { config: config.model, log, clock, tokens })
  const words = options.loaded?.words ?? createWords()
  const meter = createMeter({ db, ids, clock, log, metrics, prices: config.model.prices })
  const embedder = rememberRecent(createEmbedder(settings, { log, clock, meter }, options.loaded?.embedder))
  const learning = learnModel(meter.model(model))
  const memory = createMemory({
    database: db,
    embedder,
    words,
    clock,
    ids,
    log,
    ...(learning ? { model: learning } : {}),
  })
  const approvals = shareClicks(createApprovals({ db, ids, timeZone: config.timeZone }))
  const questions = createQuestions({ db, ids, timeZone: config.timeZone })
  const grants = createGrants({ db, ids, timeZone: config.timeZone })
  const inbox = createInbox({ db, ids, clock })
  const leases = createLeases({ db, owner, clock, log, stopping: stopping.signal })
  if (embedded) await leases.voidAll()
  const drafts = createDrafts({ db, notices, log })
  const desk = createDeskCases({ db, ids, configured: config.desk !== undefined })
  const telling = { language: config.language, timeZone: config.timeZone }
  const reader = createThreadReader({
    ...{ db, approvals, questions, drafts, notices, clock, desk, telling },
    rooms: webRooms(config),
  })

  // Channels.
  const book = createTicketBook({ db, ids, words })
  let own: string | undefined
  const addresses = createAddresses({
    configured: config.address,
    host: settings.http.host,
    own: () => own,
  })
  const web = createWebChannel({
    reader,
    drafts,
    pages: createPageReader({ db, book, now: () => clock.now() }),
    timeZone: config.timeZone,
    host: settings.http.host,
    ...(settings.http.token === undefined ? {} : { token: settings.http.token }),
    log,
    clock,
    ids,
  })
  const [slack, discord] = await Promise.all([slackChannel(options), discordChannel(options, db)])
  const channels = new Map<ChannelName, Channel>([['web', web.channel]])
  if (slack) channels.set('slack', slack)
  if (discord) channels.set('discord', discord)
  const speaker = speakerAmong(channels)

  // Tools.
  const choosing = createChoosing({
    words,
    meanings: createMeanings({ embedder, clock }),
  })
  const deliveries = createDeliveries({ db, ids, log, speaker })
  const keep = createKeep({ db, ids })
  const { mcp, warnings } = await openMcp(options, db)
  const entries = personEntries(config.people)
  const connected = new Set(channels.keys())
  const reach = createReach({ people, entries, rooms: roomEntries(config.rooms), connected, speaker })
  const post = createPost({ reach, deliveries, keep, speaker })
  const registry = createTools({
    config,
    db,
    ids,
    book,
    addresses,
    memory,
    post,
    grants,
    desk,
    mcp,
    meter,
    choosing,
  })
  const profiles = createProfiles(config.profiles, config.tools.highRisk)
  const mistakes = mistakesIn(config, { registry, mcp, channels: connected })
  if (mistakes.length > 0) {
    await closeDatabase()
    const file = basename(settings.files.config.path)
    throw new HermesError('config.mistakes', mistakes.map((line) => `${file}: ${line}`).join('\n'))
  }
  await keepGroups(db, groupsOf(config.approvals))
  await keepDirectory(db, entries)

  // The queue.
  const queueHome: QueueHome = settings.redis.url
    ? { kind: 'redis', url: settings.redis.url, prefix: `hermes-${await installationName(db, ids('inst'))}` }
    : { kind: 'postgres', url }
  const turns = createBells('turns', queueHome, log)
  const aftercare = createBells('aftercare', queueHome, log)

  const commands = createCommands({
    db,
    ids,
    approvals,
    grants,
    memory: commandMemory(memory),
    link: linkCommand({ db, ids, keep, speaker, log }),
    registry,
    speaker,
    clock,
    log,
    timeZone: config.timeZone,
    language: config.language,
    ticketAddress: addresses.ticket,
    status: () => `${model.offline ? 'offline model' : model.name} · ${[...channels.keys()].join(', ')}`,
  })

  const agent: AgentParts = {
    db,
    ids,
    clock,
    log,
    notices,
    leases,
    approvals,
    questions,
    people,
    deliveries,
    keep,
    desk,
    deskRoom: deskRoom(config.desk, speaker),
    timeouts: createTimeouts({ db, ids, log }),
    registry,
    model,
    profiles,
    modelOf,
    fileAddress: addresses.file,
    success: createSuccessRates({ db, clock }),
    choosing,
    commands,
    reach,
    workflows: { declared: config.workflows },
    recall: recallFrom(memory, meter, {
      limit: config.memory.recallLimit,
      tokens: Math.floor(model.contextWindow * config.context.memoryShare),
      count,
    }),
    prepareRecall: prepareRecallOf(memory, meter),
    count,
    countTools: (tools) => tokens.countTools(tools),
    speaker,
    findPlace: createFindPlace(speaker),
    settings: agentSettings(config),
    rules: readFileSync(join(root, 'src/agent/prompts/rules.md'), 'utf8'),
    observe: (outcome, seconds) => {
      metrics.turns.inc({ outcome })
      metrics.turnSeconds.observe({ outcome }, seconds)
    },
  }

  // What comes in here and is worked on here needs no queue in between.
  const work = async (sessionId: string) => void (await runSession(agent, sessionId))
  const near = works ? answerNear({ far: turns, room: concurrency, answer: work, log }) : undefined

  const gateway = measured(
    createGateway({
      inbox,
      approvals,
      grants,
      commands,
      editing: createEditing({
        registry,
        resolveNames: createResolveNames({ db, reach, lookups: config.tools.lookups }),
        policies: config.approvals,
        clock,
        ids,
      }),
      freshness: createFreshness({ db, registry }),
      asking: createAskingClicks({ questions, registry, clock, language: config.language }),
      desk: createDeskClicks({ db, ids, clock, desk, ...telling }),
      choice: (event) => readChoice(db, event),
      notices,
      bell: near ?? turns,
      clock,
      log,
      language: config.language,
    }),
    metrics.accepted,
    clock,
  )

  // Work.
  const answering: Answering[] = near ? [near] : []
  let sweep: Sweep | undefined
  if (works) {
    mcp.start()
    void tokens.load()
    warmUp(embedder, words)
    const isOver = createIsOver({
      dayLimit: (personId) =>
        dayLimit({ db, spending: config.limits, timeZone: config.timeZone }, personId, clock.now()),
      putOff: metrics.putOff,
      log,
    })
    const learn = createLearning({ db, memory, people, profiles, meter, isOver })
    const compact = createCompacting({
      db,
      ids,
      clock,
      log,
      modelOf: (snapshot) => meter.model(modelOf(profiles.at(snapshot))),
      isOver: (personId) => isOver('summary', personId),
      charge: (payer, work) => meter.charge({ task: 'summary', ...payer }, work),
      count,
      inputShare: config.context.inputShare,
      instructions: readFileSync(join(root, 'src/agent/prompts/summary.md'), 'utf8'),
    })
    answering.push(
      answerBells('turns', queueHome, concurrency, work, log),
      answerBells('aftercare', queueHome, 2, createAftercare({ tasks: [learn, compact], clock, log }), log),
    )
    sweep = startSweep({
      db,
      ids,
      clock,
      log,
      approvals,
      questions,
      turns: near ?? turns,
      aftercare,
      purge: createUpkeep({ db, memory, sessions: config.sessions, clock, log, signal: stopping.signal }),
      everyMs: options.sweepMs,
    })
  }

  // The server.
  const health = healthParts({ settings, db, turns, channels, metrics, listens })
  const http = new Hono()
  http.route('/', healthRoutes(health))
  if (listens) {
    const handle = slack?.handle
    if (handle) http.post('/slack/events', (c) => handle(c.req.raw))
    http.route('/', web.routes)
  }
  let server: ServerType | undefined
  const stop = once(async () => {
    for (const channel of channels.values()) if (listens) await channel.stop().catch(() => {})
    sweep?.stop()
    stopping.abort(new HermesError('app.stopping', 'Hermes is stopping.'))
    await Promise.all(answering.map((worker) => worker.close(4_000)))
    await Promise.all([turns.close(), aftercare.close()])
    await mcp.stop()
    await memory.stop()
    await embedder.stop()
    await closeServer(server)
    await closeDatabase()
  })
  let address: string
  try {
    ;({ server, address } = await listen(http, settings.http))
    own = address
  } catch (error) {
    await stop()
    throw error
  }
  if (listens) for (const channel of channels.values()) await channel.listen(gateway)
  // The first message should find the tools; a slow server is not waited for longer.
  if (works) await mcp.settled(mcpPatience)

  return {
    address,
    model,
    mcp,
    warnings,
    readiness: () => readiness(health),
    failed: embedded?.failed ?? new Promise(() => {}),
    stop,
  }
}

/** The first use of the encoder and of the dictionary should not be a person's. */
function warmUp(embedder: Embedder, words: Words): void {
  void embedder
    .embed(['warm up'], AbortSignal.timeout(30_000))
    .then(() => words.of('你好'))
    .catch(() => {})
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
    return running
  }
}
