import { describe, expect, it } from 'vitest'
import { chooseAddress } from '../../src/agent/people/choosing.ts'
import { readDestination } from '../../src/agent/people/destination.ts'
import type { Address } from '../../src/channel/address.ts'
import type { ChannelName } from '../../src/channel/events.ts'

describe('whom or where a message is for, as it is said', () => {
  it.each<readonly [string, string, ChannelName | undefined, boolean]>([
    ['Zhang Wei', 'Zhang Wei', undefined, false],
    ['Zhang on Discord', 'Zhang', 'discord', false],
    ['Zhang Wei · Discord, direct message', 'Zhang Wei', 'discord', false],
    ['Zhang Wei · Discord，私信', 'Zhang Wei', 'discord', false],
    ['Bo Li (@bo) · Slack', 'Bo Li (@bo)', 'slack', false],
    ['Ann (web chat)', 'Ann', 'web', false],
    ['张伟（Slack）', '张伟', 'slack', false],
    ['Discord 上的张伟', '张伟', 'discord', false],
    ['在 Slack 的 #ops', 'ops', 'slack', true],
    ['#ops on Slack', 'ops', 'slack', true],
    ['# general', 'general', undefined, true],
    ['Slack', 'Slack', undefined, false],
    ['Discord Dan', 'Discord Dan', undefined, false],
    ['Ann on call', 'Ann on call', undefined, false],
  ])('%s', (said, name, channel, isRoom) => {
    expect(readDestination(said)).toEqual({ name, isRoom, ...(channel ? { channel } : {}) })
  })
})

describe('where somebody is written to', () => {
  const slack: Address = { channel: 'slack', workspace: 'T1', userId: 'U1' }
  const elsewhere: Address = { channel: 'slack', workspace: 'T2', userId: 'U9' }
  const discord: Address = { channel: 'discord', workspace: '@me', userId: '1' }
  const web: Address = { channel: 'web', workspace: 'local', userId: 'ann' }
  const choose = async (
    addresses: readonly Address[],
    own: Pick<Address, 'channel' | 'workspace'>,
    more: { named?: ChannelName; prefers?: ChannelName; last?: ChannelName; off?: ChannelName } = {},
  ) => {
    const connected = new Set<ChannelName>(['slack', 'discord', 'web'])
    if (more.off) connected.delete(more.off)
    const one = { name: 'Ann', addresses, personId: 'per_1', prefers: more.prefers, isGuess: false }
    const choice = await chooseAddress(one, {
      named: more.named,
      own,
      connected,
      lastChannel: async () => more.last,
    })
    return choice.kind === 'there' ? choice.address : choice
  }
  const fromSlack = { channel: 'slack', workspace: 'T1' } as const
  const fromWeb = { channel: 'web', workspace: 'local' } as const

  it('is the platform that was named', async () => {
    expect(await choose([slack, discord], fromSlack, { named: 'discord' })).toBe(discord)
    expect(await choose([slack, web], fromSlack, { named: 'discord' })).toEqual({
      kind: 'elsewhere',
      channels: ['slack', 'web'],
    })
    expect(await choose([discord], fromSlack, { named: 'discord', off: 'discord' })).toEqual({
      kind: 'off',
      channel: 'discord',
    })
  })

  it("is else the asker's own, in their own workspace first, whatever is preferred", async () => {
    expect(await choose([discord, elsewhere, slack], fromSlack, { prefers: 'discord' })).toBe(slack)
    expect(await choose([discord, elsewhere], fromSlack, { prefers: 'discord' })).toBe(elsewhere)
  })

  it('is else what they prefer, then what they used last, then the first that is connected', async () => {
    expect(await choose([slack, discord], fromWeb, { prefers: 'discord', last: 'slack' })).toBe(discord)
    expect(await choose([slack, discord], fromWeb, { last: 'discord' })).toBe(discord)
    expect(await choose([slack, discord], fromWeb)).toBe(slack)
    expect(await choose([slack, discord], fromWeb, { prefers: 'slack', off: 'slack' })).toBe(discord)
  })
})
