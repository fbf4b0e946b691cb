import { BlockList, isIP } from 'node:net'

/** Where an IP address leads: into the open, into an own network, or where nobody should be asked at all. */
export type AddressKind = 'public' | 'private' | 'never'

type Blocks = Readonly<Record<'ipv4' | 'ipv6', BlockList>>

// One list each: a list of both takes every IPv4 address for the IPv6 one that it may be written as.
function blocks(v4: readonly string[], v6: readonly string[]): Blocks {
  return { ipv4: listOf(v4, 'ipv4'), ipv6: listOf(v6, 'ipv6') }
}

function listOf(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', bits = ''] = subnet.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

// The special registries of IANA (RFC 6890 and those that followed).
const own = blocks(
  ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
  ['::1/128', 'fc00::/7'],
)
// Link-local ones include the metadata services of clouds; the rest are no hosts, or hide another address in them.
const never = blocks(
  [
    ...['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
    ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ],
  [
    ...[
      '::/128',
      '::ffff:0:0/96',
      '64:ff9b::/96',
      '64:ff9b:1::/48',
      '100::/64',
      '2001::/23',
      '2001:db8::/32',
    ],
    ...['2002::/16', '3fff::/20', 'fe80::/10', 'ff00::/8'],
  ],
)

const globalUnicast = listOf(['2000::/3'], 'ipv6')

/** Where an address leads; what is no address leads nowhere. */
export function addressKind(address: string): AddressKind {
  const version = isIP(address)
  if (version === 0) return 'never'
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (never[family].check(address, family)) return 'never'
  if (own[family].check(address, family)) return 'private'
  // The rest of IPv6 is given to nobody, and hides other addresses: ::127.0.0.1, ::ffff:0:127.0.0.1, fec0::/10.
  return family === 'ipv4' || globalUnicast.check(address, 'ipv6') ? 'public' : 'never'
}
