import { unknownSlackUsers } from '../../../adapters/slack/doctor.ts'
import type { Settings } from '../../config/environment.ts'
import type { Config } from '../../config/file.ts'
import type { Database } from '../../store/client.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const limitMs = 10_000

/** Is there somebody to decide: are groups empty, and do the people exist who are named? */
export async function checkApprovers(
  { slack }: Settings,
  config: Config,
  db: Database | undefined,
): Promise<readonly Finding[]> {
  const { groups, rules } = config.approvals
  const named = [
    ...new Set([...Object.values(groups).flat(), ...rules.flatMap(({ approvers }) => approvers)]),
  ]
  if (rules.length === 0 && named.length === 0) return []
  const empty = Object.entries(groups).flatMap(([group, members]) =>
    members.length === 0
      ? [warn('Approvals', `the group ${group} has nobody in it. Name its members in approvals.groups.`)]
      : [],
  )
  const ids = named.flatMap((one) => /^slack:[^:]+:(.+)$/.exec(one)?.[1] ?? [])
  const gone =
    slack.state === 'socket' || slack.state === 'http'
      ? await unknownSlackUsers(
          {
            botToken: slack.botToken,
            limitMs,
            ...(slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl }),
          },
          ids,
        )
      : []
  const names = named.filter(
    (one) => one !== 'requester' && !/^(?:group|slack|discord|web|id|name):/.test(one),
  )
  const unmet = db ? await unknownNames(db, names) : []
  const findings = [
    ...empty,
    ...gone.map((id) => fail('Approvals', `nobody on Slack has the id ${id}. Mend approvals.`)),
    ...unmet.map((name) =>
      warn(
        'Approvals',
        `nobody called ${name} has written to Hermes yet. Look whether the name is spelled as on the platform, or write an id.`,
      ),
    ),
  ]
  return findings.length > 0
    ? findings
    : [ok('Approvals', `${rules.length} rules; everybody who is named is known`)]
}

async function unknownNames(db: Database, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return []
  const rows = await db.identity
    .findMany({ where: { OR: names.map((name) => ({ name: { equals: name, mode: 'insensitive' } })) } })
    // Before the first migration there is no such table.
    .catch(() => undefined)
  if (!rows) return []
  const known = new Set(rows.map(({ name }) => name.toLowerCase()))
  return names.filter((name) => !known.has(name.toLowerCase()))
}
