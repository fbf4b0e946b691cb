import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { type ServerType, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { DiscordChannel } from '../adapters/discord/adapter.ts'
import { createSlack, type SlackChannel } from '../adapters/slack/adapter.ts'
import { createWebChannel } from '../adapters/web/web.ts'
import { createEditing } from './agent/approving/editing.ts'
import { createFreshness } from './agent/approving/freshness.ts'
import { createCommands } from './agent/commands/commands.ts'
import { createCompacting } from './agent/compacting.ts'
import { createDeliveries } from './agent/delivery.ts'
import { createDeskClicks } from './agent/desk/clicks.ts'
import { createDeskCases } from './agent/desk/desk.ts'
import { createGateway } from './agent/gateway.ts'
import { createKeep } from './agent/keeping.ts'
import { createPost } from './agent/outgoing.ts'
import type { AgentParts, AgentSettings } from './agent/parts.ts'
import { createFindPlace } from './agent/places.ts'
import { runSession } from './agent/runner.ts'
import { createThreadReader } from './agent/view.ts'
import { readChoice } from './agent/workflows/choices.ts'
import type { Clock } from './base/clock.ts'
import { HermesError, messageOf } from './base/errors.ts'
import { createIds } from './base/ids.ts'
import { within } from './base/wait.ts'
import type { ChannelName, InboundEvent, ThreadRef } from './channel/events.ts'
import type { Channel, Gateway, Speaker } from './channel/port.ts'
import type { Settings } from './config/environment.ts'
import type { Config } from './config/file.ts'
import { unknownTools } from './config/workflow-check.ts'
import { type HealthParts, healthRoutes, readiness } from './console/health.ts'
import { answerNear } from './jobs/near.ts'
import { type Answering, answerBells, createBells, type QueueHome } from './jobs/queue.ts'
import { type Sweep, startSweep } from './jobs/sweep.ts'
import { readMcpConfig } from './mcp/config.ts'
import { createMcp, type Mcp } from './mcp/mcp.ts'
import { createPins } from './mcp/pins.ts'
import { prepareSampleDocuments } from './mcp/samples.ts'
import { createMemory } from './memory/memory.ts'
import type { ChatModel } from './model/chat.ts'
import { createModel } from './model/selection.ts'
import { createTokens } from './model/tokens.ts'
import type { Log } from './observe/log.ts'
import { createMetrics } from './observe/metrics.ts'
import { createWords } from './search/words.ts'
import { createDrafts } from './session/drafts.ts'
import { createInbox } from './session/inbox.ts'
import { createLeases } from './session/lease.ts'
import { createNotices } from './session/notices.ts'
import { createPeople } from './session/people.ts'
import { createProfiles, profileMistakes } from './session/profiles.ts'
import { type Database, openClient } from './store/client.ts'
import { type EmbeddedDatabase, openEmbeddedDatabase } from './store/embedded/database.ts'
import { installationName } from './store/installation.ts'
import { migrate } from './store/migrations.ts'
import { forgetRunning, noteRunning } from './store/running.ts'
import { createApprovals } from './tools/approvals/database.ts'
import { deskTools } from './tools/builtin/desk.ts'
import { findingTools } from './tools/builtin/finding.ts'
import { grantTools } from './tools/builtin/grants.ts'
import { httpTools } from './tools/builtin/http.ts'
import { memoryTools } from './tools/builtin/memory.ts'
import { messageTools } from './tools/builtin/messages.ts'
import { planTools } from './tools/builtin/plan.ts'
import { proposalTools } from './tools/builtin/proposals.ts'
import { reminderTools } from './tools/builtin/reminders.ts'
import { eraseOldResults, resultTools } from './tools/builtin/results.ts'
import { ticketTools } from './tools/builtin/tickets.ts'
import { undoTools } from './tools/builtin/undo.ts'
import { workflowTools } from './tools/builtin/workflows.ts'
import { createGrants } from './tools/grants.ts'
import { createPageReader } from './tools/pages.ts'
import { keepGroups } from './tools/permission.ts'
import { groupsOf, mistakesInRules } from './tools/policies.ts'
import { createRegistry, type ToolRegistry } from './tools/registry.ts'
import { shareClicks } from './tools/shared-clicks.ts'
import { createSuccessRates } from './tools/success.ts'
import { createTicketBook } from './tools/ticket-book.ts'
import { createTimeouts } from './tools/timeouts.ts'
import { createAddresses } from './wiring/addresses.ts'
import { createAftercare } from './wiring/aftercare.ts'
import { askDesk, deskRoom } from './wiring/desk.ts'
import { discordPast } from './wiring/discord-past.ts'
import { createEmbedder } from './wiring/embedding.ts'
import { createLearning, learnModel } from './wiring/learning.ts'
import { mcpTools } from './wiring/mcp-tools.ts'
import { commandMemory, memoryStore, prepareRecallOf, recallFrom } from './wiring/memory.ts'
import { profileModels } from './wiring/profile-models.ts'
import { createPuttingAway } from './wiring/putting-away.ts'

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

/** What an app is built of besides its settings. */
export interface AppOptions {
  readonly settings: Settings
  readonly config: Config
  /** The folder of the project: prompts, migrations, samples, example files. */
  readonly root: string
  readonly clock: Clock
  readonly log: Log
  /** The embedded database, where it is being opened already: that takes as long as loading all this code. */
  readonly embedded?: Promise<EmbeddedDatabase>
  /** Variables that files may refer to with `${NAME}`. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

/**
 * Turns that one process runs side by side; most of their time is spent waiting for a model. As many again where it
 * also answers bells of other processes.
 */
const concurrency = 32

/** The most that a service may ask to be left alone for, in ms. */
const longestCoolDownMs = 3_600_000

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
  const embedded: EmbeddedDatabase | undefined = settings.database.url
    ? undefined
    : await (options.embedded ?? openEmbeddedDatabase({ directory: settings.home, log, clock }))
  const url = settings.database.url ?? embedded!.url
  if (embedded) noteRunning(settings.home, embedded.url)
  const db = openClient(url)
  const closeDatabase = async () => {
    await within(3_000, 'Closing the database', db.$disconnect()).catch(() => {})
    if (embedded) forgetRunning(settings.home)
    await embedded?.close()
  }
  try {
    await migrate(url, join(root, 'prisma/migrations'), log)
  } catch (error) {
    await closeDatabase()
    throw error
  }

  // What the layers share.
  const metrics = createMetrics()
  const notices = createNotices()
  const tokens = createTokens()
  const count = (text: string) => tokens.countTokens(text)
  const people = createPeople(db, config.timeZone)
  const model = createModel(settings.model, { config: config.model, log, clock, tokens })
  const modelOf = profileModels(model, settings.model, { config: config.model, log, clock, tokens })
  const words = createWords()
  const embedder = createEmbedder(settings, { log, clock })
  const learning = learnModel(model)
  const memory = createMemory({
    database: db,
    embedder,
    words,
    clock,
    ids,
    log,
    ...(learning ? { model: learning } : {}),
  })
  const approvals = shareClicks(createApprovals({ db, ids }))
  const grants = createGrants({ db, ids })
  const inbox = createInbox({ db, ids, clock })
  const leases = createLeases({ db, owner, clock, log, stopping: stopping.signal })
  if (embedded) await leases.voidAll()
  const drafts = createDrafts({ db, notices, log })
  const desk = createDeskCases({ db, ids, configured: config.desk !== undefined })
  const telling = { language: config.language, timeZone: config.timeZone }
  const reader = createThreadReader({
    ...{ db, approvals, drafts, notices, clock, desk, telling },
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
  const slack = slackChannel(options)
  const discord = discordChannel(options, db)
  const channels = new Map<ChannelName, Channel>([['web', web.channel]])
  if (slack) channels.set('slack', slack)
  if (discord) channels.set('discord', discord)
  const speaker = (thread: ThreadRef): Speaker => {
    const channel = channels.get(thread.channel)
    if (!channel) throw new HermesError('channel.off', `The channel ${thread.channel} is not configured.`)
    return channel.speaker
  }

  // Tools.
  const deliveries = createDeliveries({ db, ids, log, speaker })
  const keep = createKeep({ db, ids })
  const { mcp, warnings } = await openMcp(options, db)
  const post = createPost({ people, deliveries, keep, speaker })
  const registry: ToolRegistry = createRegistry(
    [
      ...ticketTools({ book, address: addresses.ticket }),
      ...memoryTools(memoryStore(memory)),
      ...reminderTools({ db, ids }),
      ...messageTools(post),
      ...resultTools({ db, pageTokens: config.results.digestTokens }),
      ...proposalTools(db),
      ...grantTools(grants),
      ...planTools(db),
      ...undoTools({ db, tools: () => registry.all() }),
      ...(config.desk ? deskTools(askDesk(desk)) : []),
      ...workflowTools(config.workflows),
      ...findingTools(() => registry.all()),
      ...httpTools({
        ...config.http,
        timeoutMs: config.http.timeoutSeconds * 1_000,
        maxBytes: config.http.kilobytes * 1_000,
      }),
    ],
    mcpTools(mcp),
    config.tools.overrides,
  )

  const profiles = createProfiles(config.profiles, config.tools.highRisk)
  const { config: file } = settings.files
  const mistakes = [
    ...profileMistakes(config.profiles, config.tools.highRisk, {
      tools: registry.builtin,
      servers: mcp.states().map(({ server }) => server),
    }),
    ...mistakesInRules(config.approvals, { tools: registry.all(), channels: new Set(channels.keys()) }),
    ...unknownTools(config.workflows, registry.builtin),
  ]
  if (mistakes.length > 0) {
    await closeDatabase()
    throw new HermesError(
      'config.mistakes',
      mistakes.map((line) => `${basename(file.path)}: ${line}`).join('\n'),
    )
  }
  await keepGroups(db, groupsOf(config.approvals))

  // The queue.
  const queueHome: QueueHome = settings.redis.url
    ? { kind: 'redis', url: settings.redis.url, prefix: `hermes-${await installationName(db, ids('inst'))}` }
    : { kind: 'postgres', url }
  const turns = createBells('turns', queueHome, log)
  const aftercare = createBells('aftercare', queueHome, log)

  const commands = createCommands({
    db,
    approvals,
    grants,
    memory: commandMemory(memory),
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
    commands,
    workflows: { declared: config.workflows, findPerson: post.find },
    recall: recallFrom(memory, {
      limit: config.memory.recallLimit,
      tokens: Math.floor(model.contextWindow * config.context.memoryShare),
      count,
    }),
    prepareRecall: prepareRecallOf(memory),
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
      editing: createEditing({ registry, policies: config.approvals, clock, ids }),
      freshness: createFreshness({ db, registry }),
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
    // The first use of the encoder and of the dictionary should not be a person's.
    void embedder
      .embed(['warm up'], AbortSignal.timeout(30_000))
      .then(() => words.of('你好'))
      .catch(() => {})
    const learn = createLearning({ db, memory, people, profiles })
    const compact = createCompacting({
      db,
      ids,
      clock,
      log,
      modelOf: (snapshot) => modelOf(profiles.at(snapshot)),
      count,
      inputShare: config.context.inputShare,
      instructions: readFileSync(join(root, 'src/agent/prompts/summary.md'), 'utf8'),
    })
    answering.push(
      answerBells('turns', queueHome, concurrency, work, log),
      answerBells('aftercare', queueHome, 2, createAftercare({ tasks: [learn, compact], clock, log }), log),
    )
    const putAway = createPuttingAway({ db, sessions: config.sessions, clock, log })
    sweep = startSweep({
      db,
      ids,
      clock,
      log,
      approvals,
      turns: near ?? turns,
      aftercare,
      purge: async () => {
        await putAway()
        await memory.upkeep()
        await eraseOldResults(db, clock.now())
        // Vectors of another embedder, or of a time when there was none, are made anew a batch at a time.
        await memory.reembed(stopping.signal)
      },
    })
  }

  // The server.
  const health: HealthParts = {
    database: () => db.$queryRaw`SELECT 1`,
    queue: () => turns.check(),
    channels: () => ({
      ...Object.fromEntries(
        [...channels].map(([name, channel]) => [
          name,
          listens ? channel.health() : { state: 'off' as const },
        ]),
      ),
      ...(settings.slack.state === 'half'
        ? { slack: { state: 'off' as const, reason: settings.slack.sentence } }
        : {}),
      ...(settings.discord.state === 'half'
        ? { discord: { state: 'off' as const, reason: settings.discord.sentence } }
        : {}),
    }),
    metrics: metrics.registry,
  }
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

/** Threads of the web chat to which cards go for a decision. */
function webRooms(config: Config): ReadonlySet<string> {
  const rooms = config.approvals.rules.flatMap(({ room }) => (room?.channel === 'web' ? [room.room] : []))
  return new Set(rooms)
}

function agentSettings(config: Config): AgentSettings {
  const { limits, context, results } = config
  return {
    steps: limits.steps,
    identicalCalls: limits.identicalCalls,
    turnMs: limits.turnSeconds * 1_000,
    turnTokens: limits.turnTokens,
    approvals: config.approvals,
    inputShare: context.inputShare,
    systemTokens: context.systemTokens,
    toolResultShare: context.toolResultShare,
    memoryShare: context.memoryShare,
    outputShare: context.outputShare,
    results: { inline: results.inlineTokens, digest: results.digestTokens },
    selection: config.tools.selection,
    resultLifeMs: results.keepDays * 86_400_000,
    language: config.language,
    earlier: { posts: config.sessions.earlierPosts, tokens: config.sessions.earlierTokens },
    timeZone: config.timeZone,
    coolDown: { coolDownMs: config.tools.coolDownSeconds * 1_000, longestMs: longestCoolDownMs },
    fallbacks: config.tools.fallbacks as AgentSettings['fallbacks'],
    handOver: {
      failures: config.desk?.failures ?? 3,
      windowMs: (config.desk?.withinMinutes ?? 5) * 60_000,
      waitMs: (config.desk?.waitMinutes ?? 30) * 60_000,
    },
    spending: { ...limits, currency: config.model.currency, prices: config.model.prices },
    instructions: config.instructions,
  }
}

function slackChannel({ settings, clock, log }: AppOptions): SlackChannel | undefined {
  const { slack } = settings
  if (slack.state !== 'socket' && slack.state !== 'http') return undefined
  return createSlack({
    botToken: slack.botToken,
    ...(slack.state === 'socket' ? { appToken: slack.appToken } : { signingSecret: slack.signingSecret }),
    ...(slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl }),
    clock,
    log,
  })
}

function discordChannel({ settings, clock, log }: AppOptions, db: Database): DiscordChannel | undefined {
  const { discord } = settings
  if (discord.state !== 'on') return undefined
  return new DiscordChannel({
    token: discord.token,
    ...(discord.applicationId === undefined ? {} : { applicationId: discord.applicationId }),
    ...(discord.apiUrl === undefined ? {} : { apiUrl: discord.apiUrl }),
    clock,
    log,
    past: discordPast(db),
  })
}

/** The servers of the MCP file; where there is none, those of the example, so that the tour has documents. */
async function openMcp(
  options: AppOptions,
  db: Parameters<typeof createPins>[0],
): Promise<{ mcp: Mcp; warnings: readonly string[] }> {
  const { settings, root, clock, log } = options
  const { mcp: file } = settings.files
  const own = await exists(file.path)
  const path = own || file.namedBy ? file.path : join(root, 'mcp.example.json')
  if (path.endsWith('mcp.example.json')) {
    await prepareSampleDocuments(join(root, 'samples'), join(settings.home, 'documents'), clock.now()).catch(
      (error: unknown) => log.warn({ error: messageOf(error) }, 'The sample documents could not be laid out'),
    )
  }
  const config = await readMcpConfig(path, { ...options.variables, HERMES_HOME: settings.home })
  for (const warning of config.warnings) log.warn({ file: path }, warning)
  for (const error of config.errors) log.error({ file: path }, error)
  const mcp = createMcp({ config, home: settings.home, pins: createPins(db), log, clock })
  return { mcp, warnings: [...config.errors, ...config.warnings] }
}

async function exists(path: string): Promise<boolean> {
  const { access } = await import('node:fs/promises')
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Counts how long events take from arrival to commit. */
function measured(
  gateway: Gateway,
  histogram: ReturnType<typeof createMetrics>['accepted'],
  clock: Clock,
): Gateway {
  return {
    async receive(event: InboundEvent) {
      const started = clock.monotonic()
      try {
        return await gateway.receive(event)
      } finally {
        histogram.observe(
          { channel: event.thread.channel, kind: event.kind },
          (clock.monotonic() - started) / 1_000,
        )
      }
    },
  }
}

function listen(http: Hono, at: Settings['http']): Promise<{ server: ServerType; address: string }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: http.fetch, hostname: at.host, port: at.port }, (info) => {
      const host = info.family === 'IPv6' ? `[${info.address}]` : info.address
      resolve({ server, address: `http://${host}:${info.port}` })
    })
    server.once('error', (error: Error & { code?: string }) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new HermesError('http.port_taken', `Port ${at.port} is taken. Set PORT to another one.`, {
              cause: error,
            })
          : error,
      )
    })
  })
}

/** Requests under way are answered first, so that nobody has to guess whether a click counted. */
async function closeServer(server: ServerType | undefined): Promise<void> {
  if (!server) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await within(1_500, 'Answering what is under way', closed).catch(() => {})
  if ('closeAllConnections' in server) server.closeAllConnections()
  await within(500, 'Closing the server', closed).catch(() => {})
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
    return running
  }
}
