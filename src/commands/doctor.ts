import type { Settings } from '../config/environment.ts'
import type { Config } from '../config/file.ts'
import { checkApprovers } from './doctor/approvers.ts'
import { checkDiscord, checkSlack } from './doctor/channels.ts'
import { checkDatabase, checkQueue } from './doctor/database.ts'
import { counted, type Finding } from './doctor/finding.ts'
import { checkFiles, checkHome, checkNode, checkPort, checkSecretKey } from './doctor/machine.ts'
import { checkMcp } from './doctor/mcp.ts'
import { checkEmbeddings, checkModel } from './doctor/models.ts'
import { checkPrices } from './doctor/prices.ts'
import { checkProfiles } from './doctor/profiles.ts'
import { checkRooms } from './doctor/rooms.ts'

/** What is examined. */
interface Patient {
  readonly settings: Settings
  readonly config?: Config
  readonly root: string
  /** How long MCP servers may take, ms. */
  readonly mcpMs?: number
}

/** Examines everything that is configured, one line each. 0 where nothing fails. */
export async function doctor(patient: Patient, say: (line: string) => void = console.log): Promise<number> {
  const all: Finding[] = []
  for (const findings of examinations(patient)) {
    for (const finding of await findings) {
      all.push(finding)
      say(lineOf(finding))
    }
  }
  const failures = all.filter(({ state }) => state === 'fail').length
  const warnings = all.filter(({ state }) => state === 'warn').length
  say('')
  say(
    failures + warnings === 0
      ? 'All is well.'
      : `${counted(failures, 'failure')}, ${counted(warnings, 'warning')}.`,
  )
  return failures === 0 ? 0 : 1
}

/** All of them under way at once, in the order in which they are told. */
function examinations({ settings, config, root, mcpMs }: Patient): readonly Promise<readonly Finding[]>[] {
  const one = async (finding: Finding | Promise<Finding>) => [await finding]
  const home = checkHome(settings.home)
  return [
    one(checkNode()),
    one(home),
    // After the home, since opening the embedded database takes the lock that is looked at there.
    home.then(() =>
      checkDatabase(settings, root, async (db) => [
        ...(await checkMcp({ settings, root, db, ...(mcpMs === undefined ? {} : { patienceMs: mcpMs }) })),
        ...(config ? await checkApprovers(settings, config, db) : []),
      ]),
    ),
    one(checkQueue(settings)),
    one(checkModel(settings.model)),
    one(checkEmbeddings(settings)),
    checkSlack(settings.slack),
    checkDiscord(settings.discord),
    one(checkFiles(settings.files)),
    ...(config
      ? [
          checkProfiles(settings, config),
          checkRooms(settings, config),
          Promise.resolve(checkPrices(settings, config)),
        ]
      : []),
    one(checkSecretKey(settings)),
    one(checkPort(settings.http)),
  ]
}

const labels = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }

function lineOf({ part, state, text }: Finding): string {
  return `${labels[state]}  ${part.padEnd(14)} ${text}`
}
