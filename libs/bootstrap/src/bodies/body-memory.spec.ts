import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { BodyMemory } from './body-memory.ts';

const mebibyte = 1024 * 1024;
const from = (ip: string) => ({ ip }) as FastifyRequest;
const overloaded = expect.objectContaining({ code: 'overloaded' });
const overLimit = expect.objectContaining({ code: 'over-limit' });

describe('the memory of bodies', () => {
  it('the memory of bodies is bounded for each client network and in all, and given back', () => {
    const memory = new BodyMemory();
    const [first, second, third] = ['192.0.2.1', '2001:db8:0:1::1', '192.0.2.3'].map((ip) =>
      memory.open(from(ip)),
    );
    first!.take(16 * mebibyte);
    // The first 64 KiB of each body are free.
    first!.take(65_536);
    expect(() => first!.take(1)).toThrow(overLimit);
    // Of the same 64 bits.
    second!.take(15 * mebibyte);
    const neighbor = memory.open(from('2001:db8:0:1:ffff::2'));
    expect(() => neighbor.take(2 * mebibyte)).toThrow(overLimit);
    third!.take(mebibyte);
    third!.take(65_536 * 2);
    expect(() => third!.take(mebibyte)).toThrow(overloaded);
    first!.release();
    third!.take(mebibyte);
    third!.release();
    third!.release();
    memory.open(from('192.0.2.3')).take(16 * mebibyte);
  });

  it('always has room for a small body', () => {
    const memory = new BodyMemory();
    for (const ip of ['192.0.2.1', '192.0.2.2']) memory.open(from(ip)).take(16 * mebibyte + 65_536);
    expect(() => memory.open(from('192.0.2.3')).take(65_537)).toThrow(overloaded);
    for (let bodies = 0; bodies < 1_000; bodies += 1) memory.open(from('192.0.2.1')).take(65_536);
  });
});
