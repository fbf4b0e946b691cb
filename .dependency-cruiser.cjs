// The import directions of the house, checked by `npm run check`. A folder of `src` may import from the
// folders that stand before it here, and from itself.
const order = [
  'base',
  'config',
  'observe',
  'store',
  'model',
  'channel',
  'search',
  'memory',
  'knowledge',
  'mcp',
  'session',
  'tools',
  'agent',
  'jobs',
  'console',
]

// Beside the order: the root's own rooms. `wiring` joins layers that must not know each other, `commands` are main.ts'.
const root = ['wiring', 'commands']

const folders = (names) => `^src/(${names.join('|')})/`

const upwards = order.slice(0, -1).map((name, index) => ({
  name: `${name}-knows-only-what-is-below`,
  comment: `src/${name} imports only from ${order.slice(0, index).join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: folders([name]) },
  to: { path: folders(order.slice(index + 1)) },
}))

// The rooms of the largest folders, in the same way.
const rooms = {
  agent: [
    'people',
    'sending',
    'commands',
    'approving',
    'desk',
    'asking',
    'proposing',
    'workflows',
    'viewing',
    'thinking',
    'calling',
    'turn',
    'running',
  ],
  tools: ['execution', 'results', 'arguments', 'approvals', 'selection', 'builtin'],
  mcp: ['config', 'connecting', 'listing'],
}

const roomsUpwards = Object.entries(rooms).flatMap(([folder, names]) =>
  names.slice(0, -1).map((name, index) => ({
    name: `${folder}-${name}-knows-only-rooms-below`,
    comment: `src/${folder}/${name} imports no room of src/${folder} that comes after it.`,
    severity: 'error',
    from: { path: `^src/${folder}/${name}/` },
    to: { path: `^src/${folder}/(${names.slice(index + 1).join('|')})/` },
  })),
)

// A vendor's types stay in one place each.
const vendors = [
  { vendor: '@slack/', home: '^adapters/slack/' },
  { vendor: 'discord\\.js|discord-api-types|@discordjs/', home: '^adapters/discord/' },
  { vendor: 'openai', home: '^src/model/' },
  { vendor: '@modelcontextprotocol/sdk', home: '^src/mcp/' },
  { vendor: 'bullmq|ioredis', home: '^src/jobs/' },
  { vendor: '@electric-sql/', home: '^src/store/embedded/' },
  { vendor: '@prisma/', home: '^src/store/' },
].map(({ vendor, home }) => ({
  name: `vendor-at-home-${vendor.replace(/\W+/g, '-')}`,
  comment: `Only ${home.slice(1)} knows ${vendor.replaceAll('\\', '')}.`,
  severity: 'error',
  from: { path: '^(src|adapters)/', pathNot: home },
  to: { path: `(^|/)node_modules/(${vendor})` },
}))

module.exports = {
  forbidden: [
    ...upwards,
    ...roomsUpwards,
    ...vendors,
    {
      name: 'tools-reach-out-through-their-own-interfaces',
      comment: 'Memory, knowledge and MCP servers are handed to tools by app.ts.',
      severity: 'error',
      from: { path: folders(['tools']) },
      to: { path: folders(['memory', 'knowledge', 'mcp']) },
    },
    {
      name: 'jobs-and-console-are-known-to-the-root-only',
      comment: 'Scheduling is an interface that the root passes in.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: folders(['jobs', ...root]) },
      to: { path: folders(['jobs']) },
    },
    {
      name: 'the-root-is-known-to-nobody',
      comment: 'app.ts and main.ts know every part; no part knows them.',
      severity: 'error',
      from: { path: '^(src/[^/]+/|adapters/)', pathNot: folders(root) },
      to: { path: ['^src/[^/]+$', folders(root)] },
    },
    {
      name: 'parts-do-not-know-adapters',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: folders(root) },
      to: { path: '^adapters/' },
    },
    {
      name: 'adapters-see-the-port-only',
      comment: 'An adapter knows base, channel, config and observe, and no other adapter.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: {
        path: '^(src|adapters)/',
        pathNot: [folders(['base', 'channel', 'config', 'observe']), '^adapters/$1/'],
      },
    },
    {
      name: 'every-folder-has-its-place',
      comment: 'A new folder of src takes its place in the order above first.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: folders([...order, ...root]) },
      to: {},
    },
    {
      name: 'what-runs-does-not-know-tests',
      severity: 'error',
      from: { path: '^(src|adapters|scripts)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^(src|adapters|bench)/', pathNot: '^src/store/prisma/' },
      to: { circular: true },
    },
    {
      name: 'no-dangling-imports',
      severity: 'error',
      from: { pathNot: '^src/store/prisma/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API for this tool yet; swc reads types as well.
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '^src/store/prisma/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.d.ts', '.json'],
    },
  },
}
