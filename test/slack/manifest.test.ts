import { describe, expect, it } from 'vitest'
import { buildManifest } from '../../adapters/slack/manifest.ts'
import { object, objects, text } from '../support/slack/json.ts'

describe('the app’s manifest', () => {
  it('is within Slack’s limits and asks for Socket Mode without addresses', () => {
    const manifest = object(buildManifest({ mode: 'socket' }))
    const features = object(manifest.features)
    const agent = object(features.agent_view)
    expect(text(object(manifest.display_information).name).length).toBeLessThanOrEqual(35)
    expect(text(object(manifest.display_information).description).length).toBeLessThanOrEqual(140)
    expect(text(agent.agent_description).length).toBeLessThanOrEqual(300)
    expect(objects(agent.suggested_prompts)).toHaveLength(4)
    expect(text(object(features.bot_user).display_name)).toMatch(/^[a-z0-9._-]{1,80}$/)
    expect(objects(features.slash_commands)).toMatchObject([{ command: '/hermes' }])
    expect(object(manifest.settings)).toMatchObject({ socket_mode_enabled: true })
    expect(JSON.stringify(manifest)).not.toContain('http')
  })

  it('names the one address where everything goes by HTTP', () => {
    const manifest = JSON.stringify(buildManifest({ mode: 'http', url: 'https://hermes.example.com/' }))
    const addresses = manifest.match(/https:[^"]+/g) ?? []
    expect(addresses).toHaveLength(3)
    expect(new Set(addresses)).toEqual(new Set(['https://hermes.example.com/slack/events']))
    expect(manifest).toContain('"socket_mode_enabled":false')
  })
})
