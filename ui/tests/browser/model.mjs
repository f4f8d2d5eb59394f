// The service for models of the tests: it follows a script, and refuses what real services refuse. In front of it stands a door of
// ours, at which a reply can stop in the middle.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { stubModel } from './majordomo.mjs'

/** What the service calls its model. */
export const NAME = 'stub-1'

/** In what a model says: from here on nothing more comes. */
export const HOLD = '{hold}'

/** Longer than every piece of a text: each is one event. */
const WHOLE = 1_000_000

/** A reply with these parts. */
const reply = (parts) => ({ parts, piece: WHOLE, usage: [100, 10] })

/** A reply that says these, each with an event of its own. */
export const says = (...pieces) => reply(pieces.map((piece) => ({ text: piece })))

/** A reply that wants this call. */
export const wants = (name, given) => reply([{ call: { name, arguments: given } }])

export class ScriptedModel {
    /** Starts a service whose replies are these, in their order. */
    static async start(...replies) {
        const service = spawn(stubModel, { stdio: ['pipe', 'pipe', 'inherit'] })
        service.stdin.write(`${JSON.stringify(replies)}\n`)
        const [address] = await once(createInterface(service.stdout), 'line')
        const model = new ScriptedModel(service, address)
        model.door.listen(0, '127.0.0.1')
        await once(model.door, 'listening')
        return model
    }

    constructor(service, behind) {
        const door = createServer((request, response) => void this.#answer(request, response))
        Object.assign(this, { service, behind, door, requests: [], refused: [] })
        /** Resolved once whoever waited for a reply has gone before its end. */
        this.left = new Promise((resolve) => (this.leave = resolve))
    }

    /** Its address, as a person enters it. */
    get address() {
        return `http://127.0.0.1:${this.door.address().port}/v1`
    }

    async #answer(request, response) {
        const body = await text(request)
        if (request.method === 'GET') {
            response.setHeader('Content-Type', 'application/json')
            return response.end(JSON.stringify({ data: [{ id: NAME }] }))
        }
        const { authorization } = request.headers
        this.requests.push({ authorization, body: JSON.parse(body) })
        const answer = await fetch(new URL(request.url, this.behind), { method: 'POST', body })
        const said = await answer.text()
        if (!answer.ok) this.refused.push(said)
        response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') })
        response.once('close', () => response.writableFinished || this.leave())
        for (const event of said.split(/(?<=\n\n)/)) {
            if (event.includes(HOLD)) return
            response.write(event)
        }
        response.end()
    }

    async end() {
        this.door.close()
        this.door.closeAllConnections()
        this.service.stdin.end()
        await once(this.service, 'exit')
    }
}
