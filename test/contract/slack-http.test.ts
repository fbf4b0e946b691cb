import { contract } from './contract.ts'

// The same expectations where Slack delivers by signed HTTP; ways to begin differ in nothing else.
contract({ way: 'slack by http', beginnings: ['a mention in a channel'], crowd: true })
