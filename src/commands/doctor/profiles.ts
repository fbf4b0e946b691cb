import process from 'node:process'
import type { Settings } from '../../config/environment.ts'
import type { Config } from '../../config/file.ts'
import { readMcpConfig } from '../../mcp/config/config.ts'
import { type Profile, profileMistakes } from '../../session/profiles.ts'
import { type Finding, fail, ok } from './finding.ts'

/** The profiles with the places that they are for, or what is wrong with them. */
export async function checkProfiles(settings: Settings, config: Config): Promise<readonly Finding[]> {
  const { profiles, tools } = config
  if (profiles.length === 0) return [ok('Profiles', 'none; every session has the default one')]
  const { servers } = await readMcpConfig(settings.files.mcp.path, {
    ...process.env,
    HERMES_HOME: settings.home,
  })
  const known = { servers: servers.map(({ name }) => name) }
  const mistakes = profileMistakes(profiles, tools.highRisk, known)
  if (mistakes.length > 0) return mistakes.map((mistake) => fail('Profiles', mistake))
  return [ok('Profiles', profiles.map(placesOf).join('; '))]
}

function placesOf({ name, match }: Profile): string {
  const places = Object.entries(match).map(([key, values]) => `${key} ${values?.join(' or ')}`)
  return `${name} (${places.length > 0 ? places.join(', ') : 'all other places'})`
}
