import { contract } from './contract.ts'

contract({
  way: 'discord',
  beginnings: [
    'a mention in a channel',
    'a mention inside a thread of people',
    'a direct message',
    'a post in a forum',
  ],
  crowd: true,
})
