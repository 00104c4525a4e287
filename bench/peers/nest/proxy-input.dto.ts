import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

export class ProxyInputDto {
  @IsString()
  @Length(1, 100)
  serverName!: string;

  @IsString()
  @Length(1, 253)
  serverIP!: string;

  @IsInt()
  @Min(1)
  @Max(65_535)
  adminPort!: number;

  @IsOptional()
  @IsString()
  customUrl!: string | null;
}
