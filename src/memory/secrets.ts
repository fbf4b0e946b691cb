import { holdsSecret } from '../observe/redact.ts'

// "My password is …" has no shape of its own; the words before it tell.
const named =
  /\b(?:pass(?:word|code|phrase|wd)|pwd|pin(?: code| number)?|cvv|(?:api|access|secret|private|recovery)[ _-]?(?:key|token|code)|token|client[ _-]?secret)s?\b(?:\s+(?:for|of|to|on|at)\b[^.!?\n]{0,40}?)?\s*(?:\bis\b|\bare\b|:|=)\s*\S/i
const namedChinese =
  /(?:密码|口令|密钥|私钥|令牌|验证码|访问码|支付码|助记词|安全码|(?:API|api|Api)\s*key)[^。！？\n]{0,12}?(?:是|为|：|:|=|设成|改成|改为)\s*["'“”‘’「]?[A-Za-z0-9!@#$%^&*_+\-=.?~]{3,}/
// Long runs that mix lower case, upper case and digits are keys; hashes and UUIDs are lower case or have gaps.
const random =
  /(?<![\w/.-])(?=[A-Za-z0-9_+/]*[a-z])(?=[A-Za-z0-9_+/]*[A-Z])(?=[A-Za-z0-9_+/]*\d)[A-Za-z0-9_+/]{28,}={0,2}(?![\w/.-])/
const digits = /(?<![\d.])(?:\d[ -]?){13,19}(?![\d.])/g

/** Does a text hold something that must not be remembered: a password, a key, a token, a card number? */
export function isSecret(text: string): boolean {
  return (
    holdsSecret(text) ||
    named.test(text) ||
    namedChinese.test(text) ||
    random.test(text) ||
    [...text.matchAll(digits)].some(([run]) => isCardNumber(run.replace(/\D/g, '')))
  )
}

// Payment cards carry a check digit by Luhn's rule and begin with 2 to 6.
function isCardNumber(number: string): boolean {
  if (number.length < 13 || number.length > 19 || !/^[2-6]/.test(number)) return false
  let sum = 0
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
