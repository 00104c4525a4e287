# Connects this machine to a Talpa panel. In a PowerShell with administrator rights, as the panel's command says:
#   irm URL | iex; Install-Talpa KEY [PORT]      or      Remove-Talpa [NUMBER]
# Run again it repairs and updates.
$TalpaPanel = '@panel@'
$TalpaEdge = '@edge@'
$TalpaAuthority = '@authority@'
$TalpaAuthorityHash = '@authorityHash@'
$TalpaMirror = '@mirror@'
$TalpaFiles = '@files@'
$TalpaPanels = '@panels@'
$TalpaFolder = Join-Path $env:ProgramData 'Talpa'

function Save-Talpa([string]$Url, [string]$File, [string]$Hash) {
  try { Invoke-WebRequest -UseBasicParsing -Uri $Url -OutFile $File }
  catch { throw ('@text.downloadFailed@'.Replace('%s', $Url)) }
  if ((Get-FileHash -Algorithm SHA256 $File).Hash -ne $Hash) {
    Remove-Item $File
    throw (Format-Talpa '@text.wrongHash@' (Split-Path -Leaf $File) $TalpaPanel)
  }
}

# Fills in one gap of a text after the other.
function Format-Talpa([string]$Text) {
  foreach ($value in $args) {
    $at = $Text.IndexOf('%s')
    if ($at -ge 0) { $Text = $Text.Remove($at, 2).Insert($at, $value) }
  }
  $Text
}

function Find-TalpaPanel {
  Write-Host '@text.detecting@'
  $found = @()
  foreach ($line in $TalpaPanels -split "`n") {
    $name, $port, $protocol, $mark = $line.Trim() -split ' ', 4
    # Local panels have certificates of their own; this PowerShell accepts those of https only where they are valid.
    try { $page = (Invoke-WebRequest -UseBasicParsing -TimeoutSec 3 -Uri "${protocol}://127.0.0.1:$port/").Content } catch { continue }
    if ($page -match [regex]::Escape($mark)) { $found += , @($name, $port) }
  }
  if ($found.Count -eq 1) { return $found[0] }
  $found | ForEach-Object { Write-Host "  $($_ -join ' ')" }
  $question = if ($found.Count -eq 0) { '@text.askPort@' } else { '@text.askOne@' }
  $port = Read-Host $question
  if ($port -notmatch '^\d+$') { throw '@text.noPanel@' }
  $known = $found | Where-Object { $_[1] -eq $port } | Select-Object -First 1
  if ($known) { return $known }
  return @('own', $port)
}

function Request-Talpa([string]$Key, [string]$Machine, [string]$Port) {
  $name = 'own'
  foreach ($try in 1..12) {
    $body = @{ key = $Key; machine = $Machine; name = $env:COMPUTERNAME }
    if ($Port) { $body.panel = $name; $body.port = [int]$Port }
    try {
      return Invoke-RestMethod -Method Post -Uri "$TalpaPanel/api/enrol" -ContentType 'application/json' `
        -Headers @{ 'Accept-Language' = '@language@'; Origin = $TalpaPanel } -Body ($body | ConvertTo-Json)
    } catch {
      $text = $_.ErrorDetails.Message
      if (-not $text -and $_.Exception.Response) {
        $reader = New-Object IO.StreamReader($_.Exception.Response.GetResponseStream())
        $text = $reader.ReadToEnd()
      }
      $problem = try { $text | ConvertFrom-Json } catch { $null }
      if ($problem.code -eq 'enrolment_panel_missing' -and -not $Port) {
        $name, $Port = Find-TalpaPanel
        Write-Host (Format-Talpa '@text.detected@' $name $Port)
        continue
      }
      $again = 'proxy_pending', 'provider_unavailable', 'service_unavailable', 'deadline_exceeded', 'too_many_requests'
      if ($problem -and $again -notcontains $problem.code) { throw $problem.message }
      Start-Sleep 3
    }
  }
  throw (Format-Talpa '@text.noResponse@' $TalpaPanel)
}

function Install-Talpa([Parameter(Mandatory)][string]$Key, [string]$Port) {
  $ErrorActionPreference = 'Stop'
  # PowerShell 5 offers servers no TLS 1.2 by itself, and its progress bar takes longer than the download.
  [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]'Tls12'
  $ProgressPreference = 'SilentlyContinue'
  $file = if ([Environment]::Is64BitOperatingSystem) { 'cloudflared-windows-amd64.exe' } else { 'cloudflared-windows-386.exe' }
  $line = $TalpaFiles -split "`n" | Where-Object { $_.StartsWith("$file ") }
  if (-not $line) { throw (Format-Talpa '@text.noProgram@' $file) }
  $hash = ($line.Trim() -split ' ')[1]
  New-Item -ItemType Directory -Force $TalpaFolder | Out-Null
  # The system and administrators, by their ids: their names are translated.
  icacls $TalpaFolder /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null
  # A new version beside the old one: Windows replaces no program that runs.
  $program = Join-Path $TalpaFolder "cloudflared-$($hash.Substring(0, 12)).exe"
  if (-not (Test-Path $program)) {
    Write-Host (Format-Talpa '@text.downloading@' "$TalpaMirror/$file")
    Save-Talpa "$TalpaMirror/$file" "$program.new" $hash
    Move-Item -Force "$program.new" $program
  }
  $machineFile = Join-Path $TalpaFolder 'machine'
  if (-not (Test-Path $machineFile)) {
    $bytes = New-Object byte[] 32
    [Security.Cryptography.RandomNumberGenerator]::Create().GetBytes($bytes)
    Set-Content -NoNewline $machineFile (($bytes | ForEach-Object { $_.ToString('x2') }) -join '')
  }
  $given = Request-Talpa $Key (Get-Content -Raw $machineFile) $Port
  $folder = Join-Path $TalpaFolder $given.serverId
  New-Item -ItemType Directory -Force $folder | Out-Null
  $tokenFile = Join-Path $folder 'token'
  Set-Content -NoNewline $tokenFile $given.token
  $variables = @('TUNNEL_RETRIES=0', "TUNNEL_TOKEN_FILE=$tokenFile")
  if ($TalpaEdge) {
    $authority = Join-Path $folder 'edge-ca.pem'
    Save-Talpa $TalpaAuthority $authority $TalpaAuthorityHash
    $variables += "TUNNEL_EDGE=$(($TalpaEdge, $TalpaEdge, $TalpaEdge, $TalpaEdge) -join ',')", "TUNNEL_CACERT=$authority",
      'TUNNEL_TRANSPORT_PROTOCOL=http2', 'TUNNEL_NO_PRECHECKS=true'
  }
  $service = "talpa-connector-$($given.serverId)"
  $command = "`"$program`" --no-autoupdate tunnel run"
  if (Get-Service $service -ErrorAction SilentlyContinue) {
    Stop-Service $service
    sc.exe config $service binPath= $command | Out-Null
  } else {
    New-Service -Name $service -DisplayName "Talpa connector $($given.serverId)" -StartupType Automatic -BinaryPathName $command | Out-Null
  }
  sc.exe failure $service reset= 0 actions= restart/5000 | Out-Null
  New-ItemProperty -Force -Path "HKLM:\SYSTEM\CurrentControlSet\Services\$service" -Name Environment -PropertyType MultiString -Value $variables | Out-Null
  Start-Service $service
  Write-Host '@text.waiting@'
  foreach ($try in 1..30) {
    if ((Get-Service $service).Status -eq 'Stopped') {
      throw (Format-Talpa '@text.ended@' 'Get-EventLog -LogName Application -Source Cloudflared -Newest 10')
    }
    $given = Request-Talpa $Key (Get-Content -Raw $machineFile) $Port
    # Cloudflare tells the panel late, but then the address responds.
    $status = if (-not $TalpaEdge) { try { (Invoke-WebRequest -UseBasicParsing -TimeoutSec 10 -Uri $given.url).StatusCode } catch { [int]$_.Exception.Response.StatusCode } }
    # The server of the key may have no panel yet: no address responds then.
    $isUntold = -not $TalpaEdge -and -not $given.url
    if ($given.connected -or $isUntold -or $status -in 100..499 -or $status -eq 502) {
      if (-not $given.url) { return Write-Host '@text.serverConnected@' }
      $responds = try { Invoke-WebRequest -UseBasicParsing -TimeoutSec 3 -Uri $given.target } catch { $_.Exception.Response }
      $text = if ($responds) { '@text.connected@' } else { '@text.noPanelThere@' }
      Write-Host (Format-Talpa $text $given.target)
      return Write-Host "  $($given.url)"
    }
    Start-Sleep 2
  }
  $dialled = if ($TalpaEdge) { $TalpaEdge } else { 'region1.v2.argotunnel.com:7844' }
  throw (Format-Talpa '@text.notConnected@' $dialled)
}

function Remove-Talpa([string]$Number) {
  foreach ($service in Get-Service "talpa-connector-$(if ($Number) { $Number } else { '*' })" -ErrorAction SilentlyContinue) {
    $of = $service.Name.Substring('talpa-connector-'.Length)
    Stop-Service $service.Name
    sc.exe delete $service.Name | Out-Null
    Remove-Item -Recurse -Force (Join-Path $TalpaFolder $of)
    Write-Host (Format-Talpa '@text.removed@' $of)
  }
  if (-not (Get-Service 'talpa-connector-*' -ErrorAction SilentlyContinue)) {
    # What the machine has made up stays: with another key it is the same server again.
    Get-ChildItem $TalpaFolder -Exclude machine -ErrorAction SilentlyContinue | Remove-Item -Recurse -Force
    Write-Host (Format-Talpa '@text.kept@' (Join-Path $TalpaFolder 'machine'))
  }
}
