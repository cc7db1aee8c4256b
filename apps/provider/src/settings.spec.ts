import { describe, expect, it } from '@jest/globals';
import { providerSettings } from './settings.ts';

const accepts = (url: string) => providerSettings.shape.PROVIDER_CONTENT_URL.safeParse(url).success;

describe('PROVIDER_CONTENT_URL', () => {
  it.each([
    'https://*.content.example.com',
    'https://*.content.example.com:8443/provider/',
    'http://*.localhost:8090',
    'https://content.example.com',
    'http://127.0.0.1:8090',
  ])('can be %s', (url) => {
    expect(accepts(url)).toBe(true);
  });

  it.each([
    'content.example.com',
    'ftp://*.content.example.com',
    'https://content.*.example.com',
    'https://a*.content.example.com',
    'https://*.*.example.com',
    'https://content.example.com/*',
    'http://localhost:8090',
    'http://LOCALHOST',
  ])('cannot be %s', (url) => {
    expect(accepts(url)).toBe(false);
  });
});
