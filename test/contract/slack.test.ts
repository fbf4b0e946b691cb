import { contract } from './contract.ts'

contract({
  way: 'slack by socket',
  beginnings: ['a mention in a channel', 'a mention inside a thread of people', 'a direct message'],
  crowd: true,
})
