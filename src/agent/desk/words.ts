import type { Language } from '../../base/words.ts'

const en = {
  claim: 'Claim',
  release: 'Release',
  caseOf: (name: string) => `Talk with ${name}`,
  person: 'Person',
  where: 'Where',
  request: 'Request',
  reason: 'Reason',
  failures: 'Failures',
  thread: 'Thread',
  asked: 'asked for a person',
  kept: (tool: string) => `${tool} keeps failing`,
  open: 'nobody has claimed it yet',
  claimed: (name: string, at: string) => `Claimed by ${name}, ${at}`,
  released: (name: string, at: string) => `Released by ${name}, ${at}`,
  dropped: 'Released',
  privacy:
    'Who claims it sees what the person writes; what they write in the thread below is shown to the person.',
  transcript: (name: string) =>
    `What was said before. Claim the case, then write here: ${name} sees it with your name.`,
  handedOver:
    'I have asked the people of the desk to take over and given them what was said here. Until they give it back, what you write goes to them. Say "release" to talk with me again.',
  noDesk:
    'Nobody is set up to take over from me here. Ask a colleague directly, or tell me what is missing and I will try again.',
  keepsFailing: (tool: string) =>
    `"${tool}" failed several times, so I asked the people of the desk to look. Until they give it back, what you write goes to them; say "release" to talk with me again.`,
  unreachable:
    'I could not reach the desk, so nobody has been asked. I am still here; ask a colleague directly if it is urgent.',
  tookOver: (name: string) => `${name} has taken over and answers here.`,
  isBack: (name: string) => `${name} has given the conversation back. I am here again.`,
  nobodyCame: (minutes: number) =>
    `Nobody has taken this up within ${minutes} minutes, so I am here again. Ask a colleague directly if it is urgent.`,
  isBackByYou: 'I am here again. The desk knows.',
  claimFirst: 'Press Claim first. Until then nothing that is written here is passed on.',
  isClosed: 'This case is closed: nothing that is written here is passed on any more.',
  notPassedOn: 'That could not be passed on. Try again in a while.',
  alreadyClaimed: (name: string, at: string) => `${name} has claimed it already, at ${at}.`,
  alreadyReleased: 'It has been released already.',
  onlyDesk: 'Only people of the desk can do this.',
  claimedNotice: 'It is yours. Write in the thread; the person sees it with your name.',
  releasedNotice: 'Released. I answer there again.',
  edited: 'changed',
}

const zh: typeof en = {
  claim: '接手',
  release: '交还',
  caseOf: (name) => `与 ${name} 沟通`,
  person: '用户',
  where: '来源',
  request: '请求',
  reason: '原因',
  failures: '失败记录',
  thread: '话题',
  asked: '用户要求人工',
  kept: (tool) => `${tool} 多次失败`,
  open: '尚无人接手',
  claimed: (name, at) => `${name} 已于 ${at} 接手`,
  released: (name, at) => `${name} 已于 ${at} 交还`,
  dropped: '已交还',
  privacy: '接手的人会看到用户所写的内容；在下方话题里写的内容会显示给用户。',
  transcript: (name) => `之前的对话如下。请先接手，再在这里回复：${name} 会看到并知道是您写的。`,
  handedOver:
    '我已请人工服务台接手，并把这里的对话交给了他们。在他们交还之前，您写的内容会转给他们。说“交还”即可继续与我对话。',
  noDesk: '这里没有设置可以接手的人。请直接联系同事，或告诉我还缺什么，我再试一次。',
  keepsFailing: (tool) =>
    `“${tool}”多次失败，我已请人工服务台查看。在他们交还之前，您写的内容会转给他们；说“交还”即可继续与我对话。`,
  unreachable: '我联系不上人工服务台，所以还没有人接到请求。我仍在这里；如果紧急，请直接联系同事。',
  tookOver: (name) => `${name} 已接手，会在这里回复。`,
  isBack: (name) => `${name} 已把对话交还，我回来了。`,
  nobodyCame: (minutes) => `${minutes} 分钟内没有人接手，所以我先回来了。如果紧急，请直接联系同事。`,
  isBackByYou: '我回来了，服务台已知悉。',
  claimFirst: '请先点“接手”。在此之前，这里写的内容不会转达。',
  isClosed: '这个个案已结束，这里写的内容不再转达。',
  notPassedOn: '这条消息没能转达，请稍后再试。',
  alreadyClaimed: (name, at) => `${name} 已于 ${at} 接手。`,
  alreadyReleased: '已经交还了。',
  onlyDesk: '只有服务台的人可以这样做。',
  claimedNotice: '由您接手。请在话题里回复，用户会看到您的名字。',
  releasedNotice: '已交还，我会继续在那里回答。',
  edited: '已修改',
}

/** What is said about hand-overs, to people and to the desk. */
export function deskWords(language: Language): typeof en {
  return language === 'zh' ? zh : en
}
