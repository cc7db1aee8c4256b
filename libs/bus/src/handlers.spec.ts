import { afterEach, describe, expect, it } from 'vitest';
import { defineEvent, defineRequest, Failure } from '@registrar/contracts';
import { testLogger } from '@registrar/testing';
import {
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Controller,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  Scope,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import * as z from 'zod';
import { BusClient } from './bus-client.ts';
import {
  HandleBroadcast,
  HandleEvent,
  HandleEvents,
  HandleRequest,
  type InputOf,
} from './handlers.ts';
import { inProcessTransport } from './in-process/in-process-transport.ts';
import { startBusApp, type TestBusApp } from './testing/start-bus-app.ts';

const text = z.object({ text: z.string() });
const echo = defineRequest('catalog.echo', { callers: [], input: text, reply: text });
const happened = defineEvent('catalog.happened', {
  payload: text,
  subscribers: [],
  listeners: ['catalog'],
});

@Injectable()
class Words {
  readonly suffix = '!';
}

describe('handlers on controllers', () => {
  const apps: TestBusApp[] = [];
  const log = testLogger('bus');
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  });

  const start = async (...controllers: Type[]) => {
    const module = { module: class {}, providers: [Words], controllers };
    const app = await startBusApp({
      name: 'catalog',
      module,
      transport: inProcessTransport(),
      logger: log.logger,
    });
    apps.push(app);
    return app.get(BusClient);
  };

  it('calls the handler on a controller with what is injected into it', async () => {
    @Controller()
    class Echo {
      constructor(@Inject(Words) private readonly words: Words) {}

      @HandleRequest(echo)
      async echo({ text }: InputOf<typeof echo>) {
        return { text: text + this.words.suffix };
      }
    }
    const bus = await start(Echo);
    expect(await bus.request(echo, { text: 'hello' })).toEqual({ text: 'hello!' });
  });

  it('applies guards, pipes, interceptors and filters to a handler', async () => {
    @Injectable()
    class NoSecrets implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        expect(context.getType()).toBe('rpc');
        return context.switchToRpc().getData<{ text: string }>().text !== 'secret';
      }
    }
    class Trim implements PipeTransform {
      transform({ text }: { text: string }) {
        return { text: text.trim() };
      }
    }
    class Shout implements NestInterceptor {
      intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(map(({ text }: { text: string }) => ({ text: `${text}!` })));
      }
    }
    @Catch(RangeError)
    class RangeErrorsAreInvalid implements ExceptionFilter {
      catch(error: RangeError): never {
        throw new Failure('invalid', error.message);
      }
    }
    @Controller()
    @UseFilters(RangeErrorsAreInvalid)
    class Echo {
      @UseGuards(NoSecrets)
      @UsePipes(Trim)
      @UseInterceptors(Shout)
      @HandleRequest(echo)
      async echo({ text }: InputOf<typeof echo>) {
        if (text === '') throw new RangeError('the text is empty');
        return { text };
      }
    }
    const bus = await start(Echo);
    expect(await bus.request(echo, { text: ' hello ' })).toEqual({ text: 'hello!' });
    await expect(bus.request(echo, { text: 'secret' })).rejects.toMatchObject({ code: 'internal' });
    await expect(bus.request(echo, { text: ' ' })).rejects.toMatchObject({
      code: 'invalid',
      message: 'the text is empty',
    });
  });

  it('logs an error of a handler once, and a failure not at all', async () => {
    @Controller()
    class Fails {
      @HandleRequest(echo)
      async echo({ text }: InputOf<typeof echo>): Promise<never> {
        throw text === 'defect' ? new Error('a defect') : new Failure('not-found', 'no echo');
      }
    }
    const bus = await start(Fails);
    const before = log.lines().length;
    await expect(bus.request(echo, { text: '' })).rejects.toMatchObject({ code: 'not-found' });
    expect(log.lines().slice(before)).toEqual([]);
    await expect(bus.request(echo, { text: 'defect' })).rejects.toMatchObject({ code: 'internal' });
    expect(log.lines().slice(before)).toMatchObject([{ msg: 'a request handler failed' }]);
  });

  it('refuses to start with two handlers for one request', async () => {
    @Controller()
    class First {
      @HandleRequest(echo)
      async echo(input: InputOf<typeof echo>) {
        return input;
      }
    }
    @Injectable()
    class Second extends First {}
    await expect(start(First, Second)).rejects.toThrow('catalog.echo has two handlers');
  });

  it('refuses to start with handlers of an event that have different deliveries', async () => {
    @Controller()
    class Both {
      @HandleEvent(happened)
      async handle(): Promise<void> {}

      @HandleBroadcast(happened)
      listen(): void {}
    }
    await expect(start(Both)).rejects.toThrow(
      'catalog.happened has handlers of several deliveries',
    );
  });

  it('refuses to start with two handlers of an event that one of them takes by a statement', async () => {
    @Controller()
    class Both {
      @HandleEvents(happened)
      async one(): Promise<void> {}

      @HandleEvents(happened)
      async other(): Promise<void> {}
    }
    await expect(start(Both)).rejects.toThrow('catalog.happened has two handlers');
  });

  it('refuses to start with a handler of broadcasts that the app does not receive', async () => {
    const confided = defineEvent('catalog.confided', { payload: text, subscribers: [] });
    @Controller()
    class Listener {
      @HandleBroadcast(confided)
      listen(): void {}
    }
    await expect(start(Listener)).rejects.toThrow('catalog handles broadcasts of catalog.confided');
  });

  it('creates a request-scoped controller for each message', async () => {
    let created = 0;
    @Controller({ scope: Scope.REQUEST })
    class PerRequest {
      constructor() {
        created += 1;
      }

      @HandleRequest(echo)
      async echo(input: InputOf<typeof echo>) {
        return input;
      }
    }
    const bus = await start(PerRequest);
    expect(await bus.request(echo, { text: 'one' })).toEqual({ text: 'one' });
    expect(await bus.request(echo, { text: 'two' })).toEqual({ text: 'two' });
    expect(created).toBe(2);
  });

  it('refuses to start with a handler on a provider, which Nest would not call', async () => {
    @Injectable()
    class Unlisted {
      @HandleRequest(echo)
      async echo(input: InputOf<typeof echo>) {
        return input;
      }
    }
    const module = { module: class {}, providers: [Unlisted] };
    const transport = inProcessTransport();
    await expect(
      startBusApp({ name: 'catalog', module, transport, logger: log.logger }),
    ).rejects.toThrow('Unlisted handles messages: list it under the controllers of its module');
  });

  it('refuses to start with a controller that two modules list, which Nest would call twice', async () => {
    @Controller()
    class Twice {
      @HandleEvent(happened)
      async handle(): Promise<void> {}
    }
    const other = { module: class {}, controllers: [Twice] };
    const module = { module: class {}, controllers: [Twice], imports: [other] };
    const transport = inProcessTransport();
    await expect(
      startBusApp({ name: 'catalog', module, transport, logger: log.logger }),
    ).rejects.toThrow('Twice handles messages, so only one module may list it');
  });

  it('fails a request whose reply does not match its contract, in tests and development', async () => {
    @Controller()
    class Malformed {
      @HandleRequest(echo)
      async echo() {
        return { text: 42 as unknown as string };
      }
    }
    const bus = await start(Malformed);
    await expect(bus.request(echo, { text: '' })).rejects.toMatchObject({ code: 'internal' });
    expect(log.lines().at(-1)).toMatchObject({
      err: { message: 'the reply to catalog.echo is malformed: text (invalid_type)' },
    });
  });
});
