import { byId, el } from './dom.js'

// As the server has them; it says so of whatever comes all the same.
const most = { files: 5, bytes: 3_000_000 }
const textLike = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|x-ndjson))/
const textNames = /\.(?:txt|md|csv|tsv|json|jsonl|ya?ml|xml|log|html?)$/i

/** The files that go with the next message: a button to choose them, and a list to take them out again. */
export function createAttachments({ words, told }) {
  const input = byId('files')
  const list = byId('attached')
  let files = []

  byId('attach').addEventListener('click', () => input.click())
  input.addEventListener('change', () => {
    add([...input.files])
    input.value = ''
  })

  function add(more) {
    const fitting = more.filter((file) => file.size <= most.bytes)
    for (const file of more) if (!fitting.includes(file)) told(words.tooLarge(file.name))
    const room = most.files - files.length
    if (fitting.length > room) told(words.tooMany(most.files))
    files = [...files, ...fitting.slice(0, room)]
    draw()
    if (fitting.length > 0) told(words.attached(fitting.map((file) => file.name).join(', ')))
  }

  function remove(file) {
    files = files.filter((each) => each !== file)
    draw()
    byId('attach').focus()
  }

  function draw() {
    list.hidden = files.length === 0
    list.replaceChildren(
      ...files.map((file) =>
        el(
          'li',
          {},
          el('span', {}, file.name),
          el(
            'button',
            {
              class: 'link',
              type: 'button',
              'aria-label': words.takeOut(file.name),
              onclick: () => remove(file),
            },
            '×',
          ),
        ),
      ),
    )
  }

  return {
    get any() {
      return files.length > 0
    },
    /** The names at once, and the content once it is read; the list is empty then. */
    take() {
      const taken = files
      files = []
      draw()
      return { names: taken.map((file) => file.name), content: Promise.all(taken.map(contentOf)) }
    },
  }
}

async function contentOf(file) {
  const mediaType = file.type || 'application/octet-stream'
  const about = { name: file.name.slice(0, 200), mediaType: mediaType.slice(0, 120) }
  if (textLike.test(file.type) || textNames.test(file.name)) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    try {
      return { ...about, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
    } catch {
      // It goes as it is, and the server says what it makes of it.
    }
  }
  return { ...about, base64: await base64Of(file) }
}

function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.readAsDataURL(file)
  })
}
