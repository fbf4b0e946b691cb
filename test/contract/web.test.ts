import { contract } from './contract.ts'

contract({ way: 'web', beginnings: ['a new thread'], crowd: false })
